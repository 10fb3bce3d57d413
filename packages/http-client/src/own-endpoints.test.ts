import { networkInterfaces } from 'node:os';
import { describe, expect, test } from '@jest/globals';
import { OwnEndpoints } from './own-endpoints.ts';

const redis = { host: 'redis.internal', port: 6379 };

/**
 * Endpoints whose name resolves to `addresses`, which tests may change; `undefined`: the name does
 * not resolve.
 */
function resolving(addresses: string[] | undefined) {
  const dns = { addresses, asked: 0, nowMs: 0 };
  const resolve = async () => {
    dns.asked += 1;
    if (!dns.addresses) throw new Error('EAI_AGAIN');
    return dns.addresses.map((address) => ({ address }));
  };
  return { dns, own: new OwnEndpoints([redis], resolve, () => dns.nowMs) };
}

describe('own endpoints', () => {
  test('are compared by their resolved addresses', async () => {
    const { own } = resolving(['10.0.0.5', 'fd00::5']);
    expect(await own.include('evil.example', ['10.0.0.5'], 6379)).toBe(true);
    expect(await own.include('evil.example', ['::ffff:10.0.0.5'], 6379)).toBe(true);
    expect(await own.include('evil.example', ['fd00:0:0::5'], 6379)).toBe(true);
    expect(await own.include('evil.example', ['1.1.1.1', '10.0.0.5'], 6379)).toBe(true);
    expect(await own.include('evil.example', ['10.0.0.6'], 6379)).toBe(false);
    expect(await own.include('evil.example', ['10.0.0.5'], 6380)).toBe(false);
    expect(await own.include('Redis.Internal.', ['10.0.0.6'], 6379)).toBe(true);
  });

  test('a name that moves is blocked at its new address within seconds, and at its old address for ten minutes', async () => {
    const { dns, own } = resolving(['10.0.0.5']);
    expect(await own.include('10.0.0.6', ['10.0.0.6'], 6379)).toBe(false);
    dns.addresses = ['10.0.0.6'];
    dns.nowMs = 5_001;
    expect(await own.include('10.0.0.6', ['10.0.0.6'], 6379)).toBe(true);
    expect(await own.include('10.0.0.5', ['10.0.0.5'], 6379)).toBe(true);
    dns.nowMs = 605_001;
    expect(await own.include('10.0.0.5', ['10.0.0.5'], 6379)).toBe(false);
  });

  test('an unresolvable name makes only its port unreachable, at every address, until it resolves', async () => {
    const { dns, own } = resolving(undefined);
    const unknown = { code: 'HTTP_FAILED', retryable: true };
    await expect(own.include('1.1.1.1', ['1.1.1.1'], 6379)).rejects.toMatchObject(unknown);
    expect(await own.include('redis.internal', ['1.1.1.1'], 6379)).toBe(true);
    expect(await own.include('1.1.1.1', ['1.1.1.1'], 443)).toBe(false);
    dns.addresses = ['10.0.0.5'];
    expect(await own.include('1.1.1.1', ['1.1.1.1'], 6379)).toBe(false);
    dns.addresses = undefined;
    dns.nowMs = 5_001;
    await expect(own.include('1.1.1.1', ['1.1.1.1'], 6379)).rejects.toMatchObject(unknown);
  });

  test('a name is resolved once in five seconds, and only for its port', async () => {
    const { dns, own } = resolving(['10.0.0.5']);
    await own.include('1.1.1.1', ['1.1.1.1'], 443);
    expect(dns.asked).toBe(0);
    await Promise.all(Array.from({ length: 10 }, () => own.include('1.1.1.1', ['1.1.1.1'], 6379)));
    expect(dns.asked).toBe(1);
  });

  test('a port of this machine is blocked at each of its addresses', async () => {
    const endpoints = new OwnEndpoints([{ host: '127.0.0.1', port: 5678 }]);
    const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    for (const { address } of addresses)
      expect([address, await endpoints.include('x', [address], 5678)]).toEqual([address, true]);
    expect(await endpoints.include('x', ['1.1.1.1'], 5678)).toBe(false);
  });

  test('a name that resolves to this machine covers all of its addresses', async () => {
    const { own } = resolving(['127.0.0.1']);
    expect(await own.include('::1', ['::1'], 6379)).toBe(true);
  });
});
