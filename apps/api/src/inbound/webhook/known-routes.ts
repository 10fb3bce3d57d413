import type { WebhookRoute } from '@sluice/db';
import type { RequestHead } from '../shared/inbound-request.ts';

/** Oldest routes are forgotten first. */
const maxRoutes = 1_000;

/**
 * Routes of earlier requests, so that the next one skips the lookup. They are guesses: the
 * statement that starts the execution checks that the route still exists. Routes that refuse
 * requests by their headers are not remembered, since nothing between the guess and that statement
 * could act on it.
 */
export class KnownRoutes {
  readonly #routes = new Map<string, WebhookRoute>();

  find({ method, segments }: Pick<RequestHead, 'method' | 'segments'>): WebhookRoute | undefined {
    const route = this.#routes.get(keyOf(method, segments.join('/')));
    return route?.spec.path.split('/').length === segments.length ? route : undefined;
  }

  remember(route: WebhookRoute): void {
    if (route.id === undefined || !isPlain(route)) return;
    const key = keyOf(route.method, route.spec.path);
    this.#routes.delete(key);
    const [oldest] = this.#routes.size >= maxRoutes ? this.#routes.keys() : [];
    if (oldest !== undefined) this.#routes.delete(oldest);
    this.#routes.set(key, route);
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
