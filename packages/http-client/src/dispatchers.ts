import { createHash } from 'node:crypto';
import type { HttpTls } from '@sluice/node-sdk';
import { Agent, type Dispatcher, ProxyAgent } from 'undici';
import type { AddressPolicy } from './address-policy.ts';
import type { CheckedProxy } from './checked-proxy.ts';
import { connectTimeoutMs, createGuardedConnector } from './guarded-connector.ts';
import { guardedLookup } from './guarded-lookup.ts';

/** How a request's connections are made, if not in the default way. */
export interface Route {
  tls?: HttpTls | undefined;
  proxy?: CheckedProxy | undefined;
}

/** Maximum number of cached non-default routes; the least recently used route is dropped first. */
const maxRoutes = 32;

// The request timeout covers headers and body. Idle sockets close before the usual server limit of
// 5 s.
const limits = { headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 4_000 };

/**
 * Connections by route, pooled and shared. Client certificates and proxy passwords are part of a
 * route, so no other route uses them.
 */
export class Dispatchers {
  readonly #policy: AddressPolicy;
  readonly #usual: Dispatcher;
  readonly #routes = new Map<string, Dispatcher>();
  /** Dropped dispatchers that still have requests in flight. */
  readonly #leaving = new Set<Dispatcher>();

  constructor(policy: AddressPolicy) {
    this.#policy = policy;
    this.#usual = new Agent({ ...limits, connect: createGuardedConnector(policy) });
  }

  for(route: Route): Dispatcher {
    if (!route.tls && !route.proxy) return this.#usual;
    const key = createHash('sha256').update(JSON.stringify(route)).digest('base64');
    const dispatcher = this.#routes.get(key) ?? this.#create(route);
    this.#routes.delete(key);
    this.#routes.set(key, dispatcher);
    if (this.#routes.size > maxRoutes) this.#dropOldest();
    return dispatcher;
  }

  /** Closes all connections immediately. */
  async destroy(): Promise<void> {
    await Promise.all([this.#usual, ...this.#routes.values(), ...this.#leaving].map((dispatcher) => dispatcher.destroy()));
    this.#routes.clear();
  }

  #create({ tls = {}, proxy }: Route): Dispatcher {
    if (!proxy) return new Agent({ ...limits, connect: createGuardedConnector(this.#policy, undefined, tls) });
    return new ProxyAgent({
      ...limits,
      uri: proxy.origin,
      ...(proxy.authorization !== '' && { token: proxy.authorization }),
      proxyTls: { timeout: connectTimeoutMs, lookup: guardedLookup(this.#policy, proxy.port) },
      requestTls: { ...tls, timeout: connectTimeoutMs, allowH2: false },
    });
  }

  /** Requests in flight may finish. */
  #dropOldest(): void {
    const [oldest] = this.#routes;
    if (!oldest) return;
    this.#routes.delete(oldest[0]);
    this.#leaving.add(oldest[1]);
    const gone = () => this.#leaving.delete(oldest[1]);
    oldest[1].close().then(gone, gone);
  }
}
