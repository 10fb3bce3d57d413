/** Scopes by object, in the order given: `workflow:read` belongs to `workflow`. */
export function groupScopes<S extends string>(scopes: readonly S[]): { object: string; scopes: S[] }[] {
  const groups = Map.groupBy(scopes, (scope) => scope.slice(0, scope.indexOf(':')));
  return [...groups].map(([object, members]) => ({ object, scopes: members }));
}

/** `workflow:read` → `read` */
export function verbOf(scope: string): string {
  return scope.slice(scope.indexOf(':') + 1);
}

/** Scopes that change nothing. */
export function readOnly<S extends string>(scopes: readonly S[]): S[] {
  return scopes.filter((scope) => ['read', 'list'].includes(verbOf(scope)));
}

/** A short description: `all`, `read only`, or how many. */
export function summaryOf(scopes: readonly string[], all: readonly string[]): string {
  if (all.length > 0 && all.every((scope) => scopes.includes(scope))) return 'all';
  if (scopes.length > 0 && readOnly(scopes).length === scopes.length) return 'read only';
  return `${scopes.length} of ${Math.max(all.length, scopes.length)}`;
}
