import { type InstanceRole, roleScopes, type Scope } from '@sluice/domain';

export type License = 'enterprise' | 'community';

/** Scopes of a key: those it was created with or, without an enterprise license, all scopes of its user's role. */
export function effectiveScopes(license: License, role: InstanceRole, requested: readonly Scope[]): readonly Scope[] {
  return license === 'enterprise' ? requested : roleScopes[role];
}
