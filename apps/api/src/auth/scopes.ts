import { ForbiddenError, type Scope } from '@sluice/domain';

/** Throws 403 that names each of the scopes that `grantedScopes` lacks. */
export function assertScopes(grantedScopes: ReadonlySet<Scope>, scopes: Iterable<Scope>, message: string): void {
  const missing = [...scopes].filter((scope) => !grantedScopes.has(scope));
  if (missing.length === 0) return;
  throw new ForbiddenError(
    message,
    missing.map((scope) => ({ path: 'scope', message: scope })),
  );
}
