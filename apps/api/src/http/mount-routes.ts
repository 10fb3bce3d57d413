import type { AuditLog } from '@sluice/db';
import { isJsonObject, type JsonObject, NotFoundError } from '@sluice/domain';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { auditAct } from '../audit/audit-act.ts';
import type { RefusalLog } from '../audit/refusal-log.ts';
import type { OperationGroup } from '../endpoint-groups.ts';
import type { EndpointScope } from '../endpoint-scopes.ts';
import type { PageCursors } from '../paging/page-cursors.ts';
import type { Services } from '../services.ts';
import { actorOf } from './actor-of.ts';
import { requireScope } from './authenticate.ts';
import type { Route } from './define-route.ts';
import { notFound } from './error-handler.ts';
import { jsonBody } from './json-body.ts';
import type { BodyLimits } from './read-json.ts';
import { requestState } from './request-state.ts';
import { requireTextQuery } from './require-text-query.ts';
import { sendReply } from './send-reply.ts';

/** `POST /workflows/:id/run`: how a route is named in the table of scopes and in the docs. */
export function endpointOf({ method, path }: Pick<Route, 'method' | 'path'>): string {
  return `${method.toUpperCase()} ${path}`;
}

/** What endpoints need and are called, by endpoint. */
interface EndpointTables {
  scopes: Readonly<Record<string, EndpointScope>>;
  /** Of those that change or start something; every method but `GET`. */
  actions: Readonly<Record<string, string>>;
  /** Of those whose limit is not that of their method. */
  groups: Readonly<Record<string, OperationGroup>>;
}

interface MountOptions {
  services: Services;
  limits: BodyLimits;
  audit: AuditLog;
  refusals: RefusalLog;
  cursors: Pick<PageCursors, 'open' | 'seal'>;
}

/**
 * A router with every route behind its scope and in the audit log. Throws unless routes and tables match one to one: a route
 * without a scope or, if it changes something, an action, and an entry without a route, stop the process at start. Groups of limits
 * name only what is special.
 */
export function mountRoutes(routes: readonly Route[], tables: EndpointTables, options: MountOptions): Router {
  assertTables(routes, tables);
  const { scopes, actions } = tables;
  const router = Router({ caseSensitive: true });
  const readBody = jsonBody(options.limits);
  for (const route of routes) {
    const endpoint = endpointOf(route);
    const scope = requireScope(scopes[endpoint] as EndpointScope, endpoint, options.refusals);
    const action = route.method === 'get' ? undefined : actions[endpoint];
    router[route.method](route.path, scope, ...(route.body ? readBody : []), serve(route, action, options));
  }
  router.options('/*path', notFound); // Express would answer by itself, in plain text
  return router;
}

function assertTables(routes: readonly Route[], { scopes, actions, groups }: EndpointTables): void {
  const endpoints = routes.map(endpointOf);
  if (new Set(endpoints).size !== endpoints.length) throw new Error('two routes share an endpoint');
  assertSame('scope', endpoints, Object.keys(scopes));
  assertSame('audit action', routes.filter(({ method }) => method !== 'get').map(endpointOf), Object.keys(actions));
  assertKnown('limit group', endpoints, Object.keys(groups));
}

function assertSame(what: string, endpoints: readonly string[], entries: readonly string[]): void {
  const missing = endpoints.filter((endpoint) => !entries.includes(endpoint));
  if (missing.length > 0) throw new Error(`no ${what} for ${missing.join(', ')}`);
  assertKnown(what, endpoints, entries);
}

function assertKnown(what: string, endpoints: readonly string[], entries: readonly string[]): void {
  const unknown = entries.filter((entry) => !endpoints.includes(entry));
  if (unknown.length > 0) throw new Error(`${what} without a route: ${unknown.join(', ')}`);
}

function serve(route: Route, action: string | undefined, { services, audit, cursors }: MountOptions): RequestHandler {
  return async (request, response) => {
    const { caller, renewCaller } = requestState(request);
    if (!caller || !renewCaller) throw new Error('authentication comes before routes');
    const params = request.params as Record<string, string>;
    if (Object.values(params).some((param) => param.includes('\u0000')))
      throw new NotFoundError('there is nothing at this path');
    const handle = async () => {
      if (route.query) requireTextQuery(request.originalUrl);
      const page = { route, path: request.path, query: request.query };
      const reply = await route.handle({
        params,
        query: cursors.open(page),
        body: request.body,
        caller,
        services,
        url: `${request.baseUrl}${request.path}`,
        header: (name) => request.get(name),
        signal: goneSignal(response),
        renewCaller,
      });
      return cursors.seal(page, reply);
    };
    const [objectId] = Object.values(params);
    const act = action && { actor: actorOf(request), action, objectId, details: changedFields(route, request) };
    await sendReply(act ? await auditAct(act, audit, handle) : await handle(), response);
  };
}

/** For the audit log: the names, never the values, of what an update gives. */
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
