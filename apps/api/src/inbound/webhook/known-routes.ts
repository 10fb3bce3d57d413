import type { WebhookRoute } from '@sluice/db';
import QuickLRU from 'quick-lru';
import type { RequestHead } from '../shared/inbound-request.ts';

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
