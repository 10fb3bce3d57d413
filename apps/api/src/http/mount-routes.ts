import type { AuditLog } from '@sluice/db';
import { AppError, isJsonObject, type JsonObject, NotFoundError } from '@sluice/domain';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { auditAct } from '../audit/audit-act.ts';
import type { RefusalLog } from '../audit/refusal-log.ts';
import type { Caller } from '../auth/caller.ts';
import { isPaged, type PageCursors } from '../paging/page-cursors.ts';
import type { Services } from '../services.ts';
import { requireScope } from './authenticate.ts';
import type { Route } from './define-route.ts';
import { type BodyLimits, jsonBody } from './read-json.ts';
import { actorOf, requestState } from './request-state.ts';
import { requireTextQuery } from './require-text-query.ts';
import { sendRouteResponse } from './send-route-response.ts';

/** Display name of a route: `POST /workflows/:id/run`. */
export function endpointOf({ method, path }: Pick<Route, 'method' | 'path'>): string {
  return `${method.toUpperCase()} ${path}`;
}

/** Whether it needs no key. Such routes are mounted before authentication. */
export function isPublic({ scope }: Pick<Route, 'scope'>): boolean {
  return scope === 'public';
}

interface MountOptions {
  services: Services;
  limits: BodyLimits;
  audit: AuditLog;
  refusals: RefusalLog;
  cursors: Pick<PageCursors, 'open' | 'seal'>;
}

/**
 * A router that serves every route after checking its scope, and writes changes to the audit log.
 * Throws if two routes share an endpoint.
 */
export function mountRoutes(routes: readonly Route[], options: MountOptions): Router {
  if (new Set(routes.map(endpointOf)).size !== routes.length) throw new Error('two routes share an endpoint');
  const router = Router({ caseSensitive: true });
  const readBody = jsonBody(options.limits);
  for (const route of routes) {
    const checks = isPublic(route) ? [] : [requireScope(route.scope, endpointOf(route), options.refusals)];
    router[route.method](route.path, ...checks, ...(route.body ? readBody : []), serve(route, options));
  }
  for (const [path, methods] of methodsOf(routes)) router.all(path, notAllowed(methods));
  return router;
}

function methodsOf(routes: readonly Route[]): Map<string, string[]> {
  const same = Map.groupBy([...routes], ({ path }) => path);
  return new Map([...same].map(([path, own]) => [path, own.map(({ method }) => method.toUpperCase()).toSorted()]));
}

/** 405, with the methods of the path, for a method that it has no operation for. */
function notAllowed(methods: readonly string[]): RequestHandler {
  return (_request, response) => {
    const allowed = methods.join(', ');
    response.setHeader('Allow', allowed);
    throw new AppError({ code: 'METHOD_NOT_ALLOWED', message: `this path takes these methods only: ${allowed}` });
  };
}

function serve(route: Route, { services, audit, cursors }: MountOptions): RequestHandler {
  const { action } = route;
  const hasPages = isPaged(route);
  return async (request, response) => {
    const { caller, renewCaller } = requestState(request);
    if (!isPublic(route) && !(caller && renewCaller)) throw new Error('authentication comes before routes');
    const params = request.params as Record<string, string>;
    if (Object.values(params).some((param) => param.includes('\u0000')))
      throw new NotFoundError('there is nothing at this path');
    const handle = async () => {
      if (route.query) requireTextQuery(request.originalUrl);
      const page = { route, path: request.path, query: request.query };
      const result = await route.handle({
        params,
        query: hasPages ? cursors.open(page) : request.query,
        body: request.body,
        // Handlers of public routes get neither.
        caller: caller as Caller,
        services,
        url: `${request.baseUrl}${request.path}`,
        header: (name) => request.get(name),
        signal: goneSignal(response),
        renewCaller: renewCaller as () => Promise<Caller>,
      });
      return hasPages ? cursors.seal(page, result) : result;
    };
    const [objectId] = Object.values(params);
    const act = action && { actor: actorOf(request), action, objectId, details: changedFields(route, request) };
    await sendRouteResponse(act ? await auditAct(act, audit, handle) : await handle(), response);
  };
}

/** Names, never values, of the fields of an update, for the audit log. */
function changedFields({ method, body }: Route, request: Request): JsonObject | undefined {
  if (method !== 'patch' || !isJsonObject(request.body)) return undefined;
  const { properties = {} } = (body ?? {}) as { properties?: object };
  return { fields: Object.keys(request.body).filter((name) => Object.hasOwn(properties, name)) };
}

function goneSignal(response: Response): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}
