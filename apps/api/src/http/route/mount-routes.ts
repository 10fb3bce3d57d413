import { AppError } from '@sluice/domain';
import { type RequestHandler, Router } from 'express';
import type { Caller } from '../../auth/caller.ts';
import type { RefusalLog } from '../logs/refusal-log.ts';
import { requireTextQuery } from '../request/query.ts';
import { type BodyLimits, jsonBody } from '../request/read-json.ts';
import { actorOf, requestState } from '../request/request-state.ts';
import { disconnectSignal } from '../response/client-disconnect.ts';
import { reauthenticate, requireScope } from './authenticate.ts';
import { endpointOf, type Route } from './define-route.ts';
import { performRoute, type RawRouteRequest, type RouteParts } from './perform-route.ts';
import { sendRouteResponse } from './send-route-response.ts';

/** Whether a route needs no key. Such routes are mounted before authentication. */
export function isPublic({ scope }: Pick<Route, 'scope'>): boolean {
  return scope === 'public';
}

interface MountOptions extends RouteParts {
  limits: BodyLimits;
  refusals: RefusalLog;
}

/**
 * Serves every route after checking its scope, and writes changes to the audit log. The first
 * segment of each path must be constant. Throws if two routes share an endpoint.
 */
export function mountRoutes(routes: readonly Route[], options: MountOptions): RequestHandler {
  if (new Set(routes.map(endpointOf)).size !== routes.length) throw new Error('two routes share an endpoint');
  // A single router would compare the path of a request with the pattern of every route.
  const groups = Map.groupBy(routes, ({ path }) => firstSegment(path));
  const routers = new Map([...groups].map(([segment, group]) => [segment, routerOf(group, options)]));
  return (request, response, next) => {
    const router = routers.get(firstSegment(request.path));
    if (router) router(request, response, next);
    else next();
  };
}

function firstSegment(path: string): string | undefined {
  return path.split('/', 2)[1];
}

function routerOf(routes: readonly Route[], options: MountOptions): Router {
  const router = Router({ caseSensitive: true });
  const readBody = jsonBody(options.limits);
  for (const route of routes) {
    const checkScope = isPublic(route) ? [] : [requireScope(route, options.refusals)];
    const recheck = isPublic(route) ? [] : [reauthenticate, ...checkScope];
    router[route.method](route.path, ...checkScope, ...(route.body ? [readBody, ...recheck] : []), serve(route, options));
  }
  for (const [path, methods] of methodsByPath(routes)) router.all(path, notAllowed(methods));
  return router;
}

function methodsByPath(routes: readonly Route[]): Map<string, string[]> {
  const routesByPath = Map.groupBy(routes, ({ path }) => path);
  // Express handles HEAD as GET without the body.
  const names = ({ method }: Route) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]);
  return new Map([...routesByPath].map(([path, samePath]) => [path, samePath.flatMap(names).toSorted()]));
}

/** Responds with 405 and the methods of a path, after the routes that serve these. */
export function notAllowed(methods: readonly string[]): RequestHandler {
  return ({ path }, response) => {
    const allowed = methods.join(', ');
    response.setHeader('Allow', allowed);
    const lacksSegment = path.endsWith('/');
    const message = `this path accepts only these methods: ${allowed}${lacksSegment ? '; its last segment is empty' : ''}`;
    throw new AppError({ code: 'METHOD_NOT_ALLOWED', message });
  };
}

function serve(route: Route, parts: RouteParts): RequestHandler {
  return async (request, response) => {
    const { caller, renewCaller } = requestState(request);
    if (!isPublic(route) && !(caller && renewCaller)) throw new Error('authentication comes before routes');
    const raw: RawRouteRequest = {
      params: request.params as Record<string, string>,
      query() {
        if (route.query) requireTextQuery(request.originalUrl);
        return request.query;
      },
      body: request.body,
      actor: actorOf(request),
      // On public routes, both are undefined and handlers do not see them.
      caller: caller as Caller,
      header: (name) => request.get(name),
      signal: disconnectSignal(response),
      renewCaller: renewCaller as () => Promise<Caller>,
    };
    await sendRouteResponse(await performRoute(route, raw, parts), response, { userId: caller?.userId ?? '' });
  };
}
