import type { OperationGroup, Route } from '../http/route/define-route.ts';

/** Group of a request. */
export type GroupOf = (method: string, path: string) => OperationGroup;

/**
 * Finds the group of a request before routing, since limits are counted first. Requests that match
 * no route are treated as reads or writes, by their method. Paths are below `/api/v1` and without
 * the query.
 */
export function operationGroups(routes: readonly Pick<Route, 'method' | 'path' | 'limit'>[]): GroupOf {
  const special = routes
    .filter(({ limit }) => limit !== 'read' && limit !== 'write')
    .map(({ method, path, limit }) => ({ method: method.toUpperCase(), pattern: patternOf(path), limit }));
  return (method, path) => {
    if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return 'read';
    return special.find((route) => route.method === method && route.pattern.test(path))?.limit ?? 'write';
  };
}

/** Matches as the router does: a parameter is any segment, and a trailing slash is ignored. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}/?$`);
}
