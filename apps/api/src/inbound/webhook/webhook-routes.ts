import type { WebhookRoute } from '@sluice/db';
import { type Item, isJsonObject, NotFoundError, type TriggerStart } from '@sluice/domain';
import QuickLRU from 'quick-lru';
import { MethodNotAllowedError } from '../shared/errors.ts';
import type { RequestHead } from '../shared/inbound-request.ts';

/** First segment of the path: active workflows, or test URLs. */
export type WebhookBase = 'webhook' | 'webhook-test';

const nothingAt: Readonly<Record<WebhookBase, string>> = {
  webhook: 'no active workflow listens at this address',
  'webhook-test':
    'no test URL is open at this address: open it with POST /api/v1/workflows/<id>/test-urls, then request it once within two minutes',
};

export function noRouteAt(base: WebhookBase): NotFoundError {
  return new NotFoundError(nothingAt[base]);
}

/**
 * The route of a method. `HEAD` is not handled as `GET`: link previews and monitors send it and
 * expect no effect, while a request here starts a workflow. Throws `MethodNotAllowedError`.
 */
export function routeFor(method: string, routes: readonly WebhookRoute[]): WebhookRoute {
  const route = routes.find((one) => one.method === method);
  if (!route) throw new MethodNotAllowedError(allowedAt(routes));
  return route;
}

/** Methods of an address for the `Allow` header, with `OPTIONS`. */
export function allowedAt(routes: readonly WebhookRoute[]): string[] {
  return ['OPTIONS', ...methodsOf(routes)].toSorted();
}

export function methodsOf(routes: readonly WebhookRoute[]): string[] {
  return [...new Set(routes.map(({ method }) => method))].toSorted();
}

/** The route with the response mode of this request. */
export function respondingRoute(route: WebhookRoute, { json: { body } }: Item): WebhookRoute {
  const { respondsToAction, response } = route.spec;
  if (respondsToAction === undefined || !isJsonObject(body) || body['action'] !== respondsToAction) return route;
  return { ...route, spec: { ...route.spec, response: { ...response, mode: 'responseNode' } } };
}

/** The trigger that an execution starts at, and how it responds. */
export function triggerStart(
  { nodeName, spec, output: outputOfMethod }: WebhookRoute,
  items: readonly Item[],
  output = outputOfMethod,
): TriggerStart {
  const { mode } = spec.response;
  const responding = { ...(mode === 'streaming' && { streams: true }), ...(mode === 'lastNode' && { awaitsLast: true }) };
  return { node: nodeName, ...(!spec.runsNode && { output }), items: [...items], ...responding };
}

/** At least as many routes are remembered, and at most twice as many. */
const maxRoutes = 1_000;

/**
 * Routes of earlier requests, so that the next one skips the lookup. They are guesses: the
 * statement that starts the execution checks that the route still exists. Routes that refuse
 * requests by their headers are not remembered, since nothing between the guess and that statement
 * could act on it.
 */
export class KnownRoutes {
  readonly #routes = new QuickLRU<string, WebhookRoute>({ maxSize: maxRoutes });

  find({ method, segments }: Pick<RequestHead, 'method' | 'segments'>): WebhookRoute | undefined {
    const route = this.#routes.get(keyOf(method, segments.join('/')));
    return route?.spec.path.split('/').length === segments.length ? route : undefined;
  }

  remember(route: WebhookRoute): void {
    if (route.id !== undefined && isPlain(route)) this.#routes.set(keyOf(route.method, route.spec.path), route);
  }

  forget({ method, spec }: WebhookRoute): void {
    this.#routes.delete(keyOf(method, spec.path));
  }
}

function isPlain({ spec, test }: WebhookRoute): boolean {
  const { path, authentication, allowedAddresses, ignoresBots, files, described, page, mcp, mcpTransport, respondsToAction } =
    spec;
  const refuses = authentication !== undefined || allowedAddresses !== undefined || ignoresBots === true;
  return (
    !refuses &&
    !test &&
    !described &&
    !page &&
    !mcp &&
    !mcpTransport &&
    respondsToAction === undefined &&
    files.take !== 'body' &&
    !/(^|\/):/.test(path)
  );
}

function keyOf(method: string, path: string): string {
  return `${method} ${path}`;
}
