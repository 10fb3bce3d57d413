import { randomBytes } from 'node:crypto';
import type { Config } from '@sluice/config';
import type { CredentialPorts } from '@sluice/node-sdk';

type Outgoing = Pick<CredentialPorts, 'http' | 'connect'> & { close(): Promise<void> };

/**
 * The way to the outside for tests of credentials. The client is loaded at the first test: an API process has no other use for
 * it, and it costs some 10 MB.
 */
export function outgoingPorts(config: Config['outgoing']): { ports: CredentialPorts; close(): Promise<void> } {
  let loading: Promise<Outgoing> | undefined;
  const outgoing = () => {
    loading ??= load(config);
    return loading;
  };
  return {
    ports: {
      http: { request: async (...args) => (await outgoing()).http.request(...args) },
      connect: async (...args) => (await outgoing()).connect(...args),
      now: Date.now,
      randomBytes,
    },
    async close() {
      if (loading) await (await loading).close();
    },
  };
}

async function load(config: Config['outgoing']): Promise<Outgoing> {
  const { createGuardedConnect, createHttpClient } = await import('@sluice/http-client');
  const http = createHttpClient(config);
  return { http, connect: createGuardedConnect(config), close: () => http.close() };
}
