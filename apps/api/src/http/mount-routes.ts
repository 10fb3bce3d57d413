import type { Scope } from '@sluice/domain';
import { type RequestHandler, type Response, Router } from 'express';
import type { Services } from '../services.ts';
import { requireScope } from './authenticate.ts';
import type { Route } from './define-route.ts';
import { notFound } from './error-handler.ts';
import { type BodyLimits, jsonBody } from './json-body.ts';
import { requestState } from './request-state.ts';

/** `POST /workflows/:id/run`: how a route is named in the table of scopes and in the docs. */
export function endpointOf({ method, path }: Pick<Route, 'method' | 'path'>): string {
  return `${method.toUpperCase()} ${path}`;
}

/**
 * A router with every route behind its scope. Throws unless routes and table match one to one: a route without a scope, or a
 * scope without a route, stops the process at start.
 */
export function mountRoutes(
  routes: readonly Route[],
  scopes: Readonly<Record<string, Scope>>,
  { services, limits }: { services: Services; limits: BodyLimits },
): Router {
  assertScopes(routes, scopes);
  const router = Router({ caseSensitive: true });
  const readBody = jsonBody(limits);
  for (const route of routes) {
    const scope = scopes[endpointOf(route)] as Scope;
    router[route.method](route.path, requireScope(scope), ...(route.body ? readBody : []), serve(route, services));
  }
  router.options('/*path', notFound); // Express would answer by itself, in plain text
  return router;
}

function assertScopes(routes: readonly Route[], scopes: Readonly<Record<string, Scope>>): void {
  const endpoints = routes.map(endpointOf);
  if (new Set(endpoints).size !== endpoints.length) throw new Error('two routes share an endpoint');
  const unscoped = endpoints.filter((endpoint) => !Object.hasOwn(scopes, endpoint));
  if (unscoped.length > 0) throw new Error(`no scope for ${unscoped.join(', ')}`);
  const unknown = Object.keys(scopes).filter((endpoint) => !endpoints.includes(endpoint));
  if (unknown.length > 0) throw new Error(`no route for ${unknown.join(', ')}`);
}

function serve(route: Route, services: Services): RequestHandler {
  return async (request, response) => {
    const { caller } = requestState(request);
    if (!caller) throw new Error('authentication comes before routes');
    const {
      status,
      body,
      headers = {},
    } = await route.handle({
      params: request.params as Record<string, string>,
      query: request.query,
      body: request.body,
      caller,
      services,
      url: `${request.baseUrl}${request.path}`,
      header: (name) => request.get(name),
      signal: goneSignal(response),
    });
    response.status(status).set(headers).json(body);
  };
}

function goneSignal(response: Response): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}
