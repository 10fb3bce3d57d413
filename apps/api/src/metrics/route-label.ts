import type { Request } from 'express';

/**
 * The pattern of the route that handled a request, as in the OpenAPI document and without `/api/v1`.
 * Never the path itself, which contains ids and arbitrary text. `none` if no route handled it, for
 * example because it was refused earlier.
 */
export function routeLabel({ route }: Pick<Request, 'route'>): string {
  const path: unknown = route?.path;
  if (path === undefined) return 'none';
  return typeof path === 'string' ? path : 'several';
}
