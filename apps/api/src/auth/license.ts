import { AppError, type InstanceRole, roleScopes, type Scope } from '@sluice/domain';

export type License = 'enterprise' | 'community';

/** A key's stored scopes or, without an enterprise license, all scopes of its user's role. */
export function effectiveScopes(license: License, role: InstanceRole, requested: readonly Scope[]): readonly Scope[] {
  return license === 'enterprise' ? requested : roleScopes[role];
}

/** Throws 403 `LICENSE_REQUIRED` without an enterprise license. `feature` is a plural noun. */
export function assertEnterprise(license: License, feature: string): void {
  if (license === 'enterprise') return;
  throw new AppError({ code: 'LICENSE_REQUIRED', message: `${feature} need an enterprise license` });
}
