import { ForbiddenError, type InstanceRole, roleScopes, type Scope } from '@sluice/domain';

export type License = 'enterprise' | 'community';

/** What a key may do: what it was given, or, without an enterprise licence, all that its user's role may. */
export function effectiveScopes(license: License, role: InstanceRole, given: readonly Scope[]): readonly Scope[] {
  return license === 'enterprise' ? given : roleScopes[role];
}

/** Throws 403 that names each of the scopes that `held` lacks. */
export function assertHolds(held: ReadonlySet<Scope>, scopes: Iterable<Scope>, message: string): void {
  const missing = [...scopes].filter((scope) => !held.has(scope));
  if (missing.length === 0) return;
  throw new ForbiddenError(
    message,
    missing.map((scope) => ({ path: 'scope', message: scope })),
  );
}
