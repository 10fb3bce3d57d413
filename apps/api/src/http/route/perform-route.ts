import { type AuditActor, type AuditLog, onBehalfOf } from '@sluice/db';
import { isJsonObject, type JsonObject, NotFoundError, ValidationError } from '@sluice/domain';
import { assertScopes } from '../../auth/scopes.ts';
import type { Services } from '../../context.ts';
import type { PageCursors } from '../../paging/page-cursors.ts';
import { auditAct } from '../logs/audit-act.ts';
import type { RefusalLog } from '../logs/refusal-log.ts';
import { convertQuery } from '../request/query.ts';
import { neededScopes } from './authenticate.ts';
import type { Route, RouteRequest, RouteResponse } from './define-route.ts';

/** A request for a route before validation, from a caller that holds its scope. */
export interface RawRouteRequest extends Omit<RouteRequest<string, unknown, unknown>, 'services' | 'query' | 'url'> {
  /** Throws `ValidationError` for a query that cannot be read. */
  query(): Readonly<Record<string, unknown>>;
  actor: AuditActor;
}

/** Maximum length of an object ID in the audit log, in characters: it may be any string. */
const maxObjectIdLength = 128;

export interface RouteParts {
  services: Services;
  audit: AuditLog;
  refusals: Pick<RefusalLog, 'note'>;
  cursors: Pick<PageCursors, 'open' | 'seal'>;
}

/**
 * Validates a request, passes it to the handler of its route, and writes a change to the audit log.
 * Throws `ValidationError`, and what services throw.
 */
export function performRoute(route: Route, raw: RawRouteRequest, parts: RouteParts): Promise<RouteResponse> {
  const work = () => perform(route, raw, parts);
  return route.scope === 'public' ? work() : onBehalfOf(raw.caller.userId, work);
}

async function perform(route: Route, raw: RawRouteRequest, parts: RouteParts): Promise<RouteResponse> {
  const { actor, query: readQuery, ...request } = raw;
  const { services, audit, refusals, cursors } = parts;
  const renewCaller = async () => {
    const caller = await raw.renewCaller();
    assertScopes(caller.scopes, neededScopes(route, caller.role), 'the API key lacks a scope');
    return caller;
  };
  const params: string[] = Object.values(raw.params);
  if (params.some((param) => param.includes('\u0000'))) throw new NotFoundError('there is nothing at this path');
  const path = pathOf(route, raw.params);
  const handle = async () => {
    const page = { route, path, query: readQuery() };
    const query = checkQuery(route, cursors.open(page));
    const body = checkBody(route, raw.body);
    const response = await route.handle({ ...request, renewCaller, url: `/api/v1${path}`, query, body, services });
    return cursors.seal(page, response);
  };
  const { action } = route;
  if (!action) return handle();
  const act = { actor, action, objectId: params[0]?.slice(0, maxObjectIdLength), details: changedFields(route, raw.body) };
  // Anyone can call a public route, and must not fill the audit log.
  const refused = (reason: string) => refusals.note({ actor, action: 'auth.failure', details: { reason, action } });
  return auditAct(act, audit, handle, route.scope === 'public' ? refused : undefined);
}

/** Path below `/api/v1`, in one spelling: without a slash at its end or needless escapes. */
function pathOf({ path }: Route, params: Readonly<Record<string, string>>): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

function checkQuery({ query: schema, validate }: Route, query: Readonly<Record<string, unknown>>): unknown {
  return schema && validate.query ? validate.query(convertQuery(schema, query)) : {};
}

function checkBody({ bodyOptional, validate }: Route, body: unknown): unknown {
  if (!validate.body) return undefined;
  if (body === undefined && !bodyOptional) throw new ValidationError('a JSON body is required', '');
  return validate.body(body === undefined ? {} : body);
}

/** Names, never values, of an update's fields, for the audit log. */
function changedFields({ method, body: schema }: Route, body: unknown): JsonObject | undefined {
  if (method !== 'patch' || !isJsonObject(body)) return undefined;
  const { properties = {} } = (schema ?? {}) as { properties?: object };
  return { fields: Object.keys(body).filter((name) => Object.hasOwn(properties, name)) };
}
