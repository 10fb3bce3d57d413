import { endpointGroups, type OperationGroup } from '../endpoint-groups.ts';

const special = Object.entries(endpointGroups).map(([endpoint, group]) => ({ pattern: patternOf(endpoint), group }));

/**
 * The group of a request that no router has seen yet: limits are counted first.
 *
 * @param path below `/api/v1`, without the query.
 */
export function operationGroup(method: string, path: string): OperationGroup {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return 'read';
  return special.find(({ pattern }) => pattern.test(`${method} ${path}`))?.group ?? 'write';
}

/** As the router matches: a parameter is any segment, and a slash at the end does not matter. */
function patternOf(endpoint: string): RegExp {
  return new RegExp(`^${endpoint.replaceAll(/:\w+/g, '[^/]+')}/?$`);
}
