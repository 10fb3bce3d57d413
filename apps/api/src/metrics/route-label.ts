import type { Request } from 'express';

/**
 * The pattern of the route that has taken a request, as the document has it, below `/api/v1` without that prefix: never the path itself,
 * which holds ids and whatever people try. `none`: no route has, also where a request was refused before one could.
 */
export function routeLabel({ route }: Pick<Request, 'route'>): string {
  const path: unknown = route?.path;
  if (path === undefined) return 'none';
  return typeof path === 'string' ? path : 'several';
}
