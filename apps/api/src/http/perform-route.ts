import type { AuditActor, AuditLog } from '@sluice/db';
import { isJsonObject, type JsonObject, NotFoundError } from '@sluice/domain';
import { auditAct } from '../audit/audit-act.ts';
import type { RefusalLog } from '../audit/refusal-log.ts';
import { isPaged, type PageCursors } from '../paging/page-cursors.ts';
import type { Services } from '../services.ts';
import type { RawRouteRequest, Route, RouteResponse } from './define-route.ts';

/** A request for a route from a caller that holds its scope. */
export interface RouteCall extends Omit<RawRouteRequest, 'services' | 'query'> {
  /** Below `/api/v1`, with the values of its parameters. */
  path: string;
  /** Throws `ValidationError` for a query that cannot be read. */
  query(): RawRouteRequest['query'];
  actor: AuditActor;
}

export interface RouteParts {
  services: Services;
  audit: AuditLog;
  refusals: Pick<RefusalLog, 'note'>;
  cursors: Pick<PageCursors, 'open' | 'seal'>;
}

/** Handles a request, and writes a change to the audit log. */
export async function performRoute(route: Route, call: RouteCall, parts: RouteParts): Promise<RouteResponse> {
  const { actor, path, query: readQuery, ...request } = call;
  const { services, audit, refusals, cursors } = parts;
  const params: string[] = Object.values(call.params);
  if (params.some((param) => param.includes('\u0000'))) throw new NotFoundError('there is nothing at this path');
  const hasPages = isPaged(route);
  const handle = async () => {
    const query = readQuery();
    const page = { route, path, query };
    const response = await route.handle({ ...request, query: hasPages ? cursors.open(page) : query, services });
    return hasPages ? cursors.seal(page, response) : response;
  };
  const { action } = route;
  if (!action) return handle();
  const act = { actor, action, objectId: params[0], details: changedFields(route, call.body) };
  // Anyone can call a public route, and must not fill the audit log.
  const refused = (reason: string) => refusals.note({ actor, action: 'auth.failure', details: { reason, action } });
  return auditAct(act, audit, handle, route.scope === 'public' ? refused : undefined);
}

/** Names, never values, of the fields of an update, for the audit log. */
function changedFields({ method, body: schema }: Route, body: unknown): JsonObject | undefined {
  if (method !== 'patch' || !isJsonObject(body)) return undefined;
  const { properties = {} } = (schema ?? {}) as { properties?: object };
  return { fields: Object.keys(body).filter((name) => Object.hasOwn(properties, name)) };
}
