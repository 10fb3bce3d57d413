import { randomBytes } from 'node:crypto';
import type { HttpClientOptions } from '@sluice/http-client';
import type { CredentialPorts, EgressGuard, HttpClient } from '@sluice/node-sdk';

/** All ports for outgoing connections. */
export interface OutgoingPorts extends CredentialPorts {
  readonly http: HttpClient;
}

type Outgoing = Pick<OutgoingPorts, 'http' | 'connect' | 'connectGuard'> & { close(): Promise<void> };

/**
 * Creates the ports for outgoing connections of credential tests and of node code in this process.
 * The client is loaded on first use: it takes about 10 MB, and most API processes do not need it.
 */
export function outgoingPorts(config: HttpClientOptions): { ports: OutgoingPorts; close(): Promise<void> } {
  let loading: Promise<Outgoing> | undefined;
  const outgoing = () => {
    loading ??= load(config);
    return loading;
  };
  return {
    ports: {
      http: {
        request: async (...args) => (await outgoing()).http.request(...args),
        stream: async (...args) => (await outgoing()).http.stream(...args),
        guard: guardOf(async () => (await outgoing()).http.guard),
      },
      connect: async (...args) => (await outgoing()).connect(...args),
      connectGuard: { allows: async (...args) => (await outgoing()).connectGuard.allows(...args) },
      now: Date.now,
      randomBytes,
    },
    async close() {
      if (loading) await (await loading).close();
    },
  };
}

/** A guard that loads the client's guard on first use. */
function guardOf(load: () => Promise<EgressGuard>): EgressGuard {
  return {
    check: async (url) => (await load()).check(url),
    lookup(hostname, options, callback) {
      load().then(
        (guard) => guard.lookup(hostname, options, callback),
        (error: Error) => callback(error, []),
      );
    },
  };
}

async function load(config: HttpClientOptions): Promise<Outgoing> {
  const { createConnectGuard, createHttpClient, guardedConnect } = await import('@sluice/http-client');
  const http = createHttpClient(config);
  const connectGuard = createConnectGuard(config);
  return { http, connect: guardedConnect(connectGuard), connectGuard, close: () => http.close() };
}
