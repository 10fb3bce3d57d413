import { randomBytes } from 'node:crypto';
import type { HttpClientOptions } from '@sluice/http-client';
import type { CredentialPorts, EgressGuard, HttpClient } from '@sluice/node-sdk';

/** The whole way to the outside. */
export interface OutgoingPorts extends CredentialPorts {
  readonly http: HttpClient;
}

type Outgoing = Pick<OutgoingPorts, 'http' | 'connect'> & { close(): Promise<void> };

/**
 * The way to the outside, for tests of credentials and for nodes that are called here. The client is loaded at first use: an API process has no other use for
 * it, and it costs some 10 MB.
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
      now: Date.now,
      randomBytes,
    },
    async close() {
      if (loading) await (await loading).close();
    },
  };
}

/** The client's own, once it is there. */
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
  const { createGuardedConnect, createHttpClient } = await import('@sluice/http-client');
  const http = createHttpClient(config);
  return { http, connect: createGuardedConnect(config), close: () => http.close() };
}
