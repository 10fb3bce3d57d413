import type { LookupAddress } from 'node:dns';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Agent, request } from 'undici';
import { createAddressPolicy } from './address-policy.ts';
import { createGuardedConnector } from './guarded-connector.ts';
import { type LoopbackServer, listening } from './testing/loopback-server.ts';

const loopback: LookupAddress = { address: '127.0.0.1', family: 4 };
const metadata: LookupAddress = { address: '169.254.169.254', family: 4 };

describe('guarded connector', () => {
  let server: LoopbackServer;
  beforeAll(async () => {
    server = await listening(createServer((_, response) => response.end('reached')));
  });
  afterAll(() => server.close());

  async function get(addresses: LookupAddress[], ssrfAllow: string[]): Promise<string> {
    const lookup = ((_: string, __: object, callback: (error: null, found: LookupAddress[]) => void) =>
      callback(null, addresses)) as unknown as Parameters<typeof createGuardedConnector>[1];
    const agent = new Agent({
      connect: createGuardedConnector(createAddressPolicy({ ssrfProtection: 'on', ssrfAllow }), lookup),
    });
    try {
      const response = await request(`http://name.test:${server.port}/`, { dispatcher: agent });
      return await response.body.text();
    } finally {
      await agent.destroy();
    }
  }

  test('a name that resolves to a blocked address is blocked', async () => {
    await expect(get([loopback], [])).rejects.toMatchObject({ code: 'HTTP_BLOCKED' });
  });

  test('a name with any blocked address is blocked', async () => {
    await expect(get([loopback, metadata], ['127.0.0.0/8'])).rejects.toMatchObject({ code: 'HTTP_BLOCKED' });
  });

  test('a name that does not resolve is blocked', async () => {
    await expect(get([], [])).rejects.toMatchObject({ code: 'HTTP_BLOCKED' });
  });

  test('a name with allowed addresses is reached', async () => {
    await expect(get([loopback], ['127.0.0.0/8'])).resolves.toBe('reached');
  });

  test('an allowed host name may resolve to anything', async () => {
    await expect(get([loopback], ['name.test'])).resolves.toBe('reached');
  });
});
