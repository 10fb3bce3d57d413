import type { lookup as systemLookup } from 'node:dns';
import { describe, expect, test } from '@jest/globals';
import { createAddressPolicy } from './address-policy.ts';
import { checkedProxy, checkTarget } from './checked-proxy.ts';

const policy = createAddressPolicy({ ssrfProtection: 'on', ssrfAllow: ['inside.example'] });

/** Resolves every name to one address. */
const resolving = (address: string) =>
  ((_: string, __: object, callback: (error: null, addresses: object[]) => void) =>
    callback(null, [{ address, family: 4 }])) as unknown as typeof systemLookup;

describe('a proxy', () => {
  test.each([
    ['http://proxy.example:3128', 'http://proxy.example:3128', ''],
    ['proxy.example:3128', 'http://proxy.example:3128', ''],
    ['https://proxy.example/ignored', 'https://proxy.example', ''],
    ['http://u:p%40ss@proxy.example', 'http://proxy.example', 'Basic dTpwQHNz'],
    ['http://u:100%@proxy.example', 'http://proxy.example', 'Basic dToxMDAl'],
  ])('%s', (url, origin, authorization) => {
    expect(checkedProxy(url, policy)).toMatchObject({ origin, authorization });
  });

  test.each(['http://127.0.0.1:3128', '10.0.0.1', 'http://u:p@[::1]:3128'])('%s is blocked', (url) => {
    expect(() => checkedProxy(url, policy)).toThrow(expect.objectContaining({ code: 'HTTP_BLOCKED' }));
  });
});

describe('the target of a proxy', () => {
  test('is checked by the locally resolved addresses of its name', async () => {
    const url = new URL('https://name.example/');
    await expect(checkTarget(url, policy, resolving('192.168.1.1'))).rejects.toMatchObject({ code: 'HTTP_BLOCKED' });
    await expect(checkTarget(url, policy, resolving('93.184.216.34'))).resolves.toBeUndefined();
  });

  test('can be a name in the allow-list, regardless of its addresses', async () => {
    await expect(checkTarget(new URL('http://inside.example/'), policy, resolving('10.0.0.1'))).resolves.toBeUndefined();
  });
});
