import type { Route } from './define-route.ts';

/** Display name of a route: `POST /workflows/:id/run`. */
export function endpointOf({ method, path }: Pick<Route, 'method' | 'path'>): string {
  return `${method.toUpperCase()} ${path}`;
}
