import { describe, expect, test } from '@jest/globals';
import { createAddressPolicy } from './address-policy.ts';
import type { HttpClientOptions } from './http-client-options.ts';

const policyWith = (options: Partial<HttpClientOptions> = {}) =>
  createAddressPolicy({ ssrfProtection: 'on', ssrfAllow: [], ...options });
const on = policyWith();

describe('address policy', () => {
  test.each(['1.1.1.1', '93.184.216.34', '2606:4700:4700::1111', '::ffff:1.1.1.1'])(
    'public address %s is allowed',
    async (address) => {
      expect(on.refusesLiteral(address, 443)).toBe(false);
      expect(await on.allows(address, [address], 443)).toBe(true);
    },
  );

  test.each([
    ['loopback', '127.0.0.1'],
    ['all of loopback', '127.255.255.254'],
    ['unspecified', '0.0.0.0'],
    ['private', '10.1.2.3'],
    ['private', '172.16.0.1'],
    ['private', '192.168.1.1'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['link-local and metadata', '169.254.169.254'],
    ['Azure metadata', '168.63.129.16'],
    ['multicast', '224.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['reserved', '240.0.0.1'],
    ['loopback', '::1'],
    ['unspecified', '::'],
    ['IPv4-mapped loopback', '::ffff:127.0.0.1'],
    ['IPv4-mapped Azure metadata', '::ffff:168.63.129.16'],
    ['IPv4-compatible', '::7f00:1'],
    ['unique local', 'fd00::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['site-local', 'fec0::1'],
    ['NAT64', '64:ff9b::7f00:1'],
    ['local NAT64', '64:ff9b:1::7f00:1'],
    ['6to4', '2002:7f00:1::'],
    ['Teredo', '2001:0:53aa:64c::1'],
    ['documentation', '2001:db8::1'],
    ['not yet assigned', '4000::1'],
    ['no address', 'example.org'],
    ['empty', ''],
  ])('%s (%s) is refused', async (_, address) => {
    expect(on.refusesLiteral(address, 443)).toBe(true);
    expect(await on.allows(address, [address], 443)).toBe(false);
  });

  test('one blocked address blocks the name, as does a name without addresses', async () => {
    expect(await on.allows('name.example', ['1.1.1.1', '10.0.0.1'], 443)).toBe(false);
    expect(await on.allows('name.example', [], 443)).toBe(false);
  });

  test('a CIDR in the allow-list allows only its range', async () => {
    const policy = policyWith({ ssrfAllow: ['10.1.0.0/16', 'fd00::/8', '127.0.0.1'] });
    const allows = (address: string) => policy.allows(address, [address], 80);
    for (const address of ['10.1.200.3', '::ffff:10.1.200.3', 'fd12::1', '127.0.0.1']) expect(await allows(address)).toBe(true);
    for (const address of ['10.2.0.1', '127.0.0.2']) expect(await allows(address)).toBe(false);
  });

  test('an entry with a port allows only that port', async () => {
    const policy = policyWith({
      ssrfAllow: ['10.0.0.5:8080', '10.1.0.0/16:8080', '[fd00::5]:8080', 'a.example:8080', '*.b.example:8080'],
    });
    const cases = [
      ['10.0.0.5', '10.0.0.5'],
      ['10.1.2.3', '10.1.2.3'],
      ['fd00::5', 'fd00::5'],
      ['a.example', '10.9.9.9'],
      ['x.b.example', '10.9.9.9'],
    ];
    for (const [host = '', address = ''] of cases) {
      expect([host, await policy.allows(host, [address], 8080)]).toEqual([host, true]);
      expect([host, await policy.allows(host, [address], 8081)]).toEqual([host, false]);
      expect([host, await policy.allows(host, [address], undefined)]).toEqual([host, false]);
    }
  });

  test('a host name in the allow-list matches exactly, ignoring case and a trailing dot', async () => {
    const policy = policyWith({ ssrfAllow: ['Internal.example'] });
    expect(await policy.allows('internal.EXAMPLE.', ['10.0.0.1'], 80)).toBe(true);
    expect(await policy.allows('sub.internal.example', ['10.0.0.1'], 80)).toBe(false);
  });

  test('a wildcard in the allow-list matches only the names below it', async () => {
    const policy = policyWith({ ssrfAllow: ['*.Internal.example'] });
    const allows = (host: string) => policy.allows(host, ['10.0.0.1'], 80);
    expect(await allows('a.internal.example')).toBe(true);
    expect(await allows('A.b.INTERNAL.example.')).toBe(true);
    for (const host of ['internal.example', 'evilinternal.example', 'a.internal.example.org'])
      expect(await allows(host)).toBe(false);
  });

  test('a malformed CIDR in the allow-list is an immediate error', () => {
    expect(() => policyWith({ ssrfAllow: ['10.0.0.0/64'] })).toThrow('10.0.0.0/64');
  });

  test('off allows everything else', async () => {
    expect(await policyWith({ ssrfProtection: 'off' }).allows('localhost', ['127.0.0.1'], 80)).toBe(true);
  });
});

describe.each(['on', 'strict', 'off'] as const)("the service's own endpoints, with the protection %s", (ssrfProtection) => {
  const redis = { host: '127.0.0.1', port: 6379 };
  const everything = ['127.0.0.0/8', '::/0', '0.0.0.0/0', 'localhost', '*.example'];
  const policyFor = (ssrfAllow: string[] = everything) => policyWith({ ssrfProtection, ssrfAllow, ownEndpoints: [redis] });

  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['localhost', '127.0.0.1'],
    ['localhost', '::1'],
    ['rebound.example', '127.0.0.1'],
    ['127.1.2.3', '127.1.2.3'],
    ['0.0.0.0', '0.0.0.0'],
    ['::', '::'],
    ['::ffff:127.0.0.1', '::ffff:127.0.0.1'],
    ['::ffff:0:127.0.0.1', '::ffff:0:7f00:1'],
    ['64:ff9b::7f00:1', '64:ff9b::7f00:1'],
    ['2002:7f00:1::', '2002:7f00:1::'],
  ])('are refused as %s at %s, regardless of the ranges and names in SSRF_ALLOW', async (host, address) => {
    expect(await policyFor().allows(host, [address], 6379)).toBe(false);
    expect(await policyFor().allows(host, [address], undefined)).toBe(false);
    expect(await policyFor().allows(host, [address], 6380)).toBe(true);
  });

  test('are allowed if SSRF_ALLOW lists exactly the host and port', async () => {
    expect(await policyFor(['localhost:6379']).allows('localhost', ['127.0.0.1'], 6379)).toBe(true);
    expect(await policyFor(['127.0.0.1:6379']).allows('127.0.0.1', ['127.0.0.1'], 6379)).toBe(true);
    expect(await policyFor(['localhost:6379']).allows('other.example', ['127.0.0.1'], 6379)).toBe(false);
    expect(await policyFor(['*.example:6379', '127.0.0.0/8:6379']).allows('a.example', ['127.0.0.1'], 6379)).toBe(false);
  });

  test('grow with the ports on which the process listens', async () => {
    const endpoints = new Set([redis]);
    const policy = policyWith({ ssrfProtection, ssrfAllow: everything, ownEndpoints: endpoints });
    expect(await policy.allows('localhost', ['127.0.0.1'], 5678)).toBe(true);
    endpoints.add({ host: '127.0.0.1', port: 5678 });
    expect(await policy.allows('localhost', ['127.0.0.1'], 5678)).toBe(false);
  });

  test('include the targets of SSRF_DENY', async () => {
    const ssrfDeny = ['10.244.0.0/16:6379', 'localhost:5679', '192.168.0.0/16'];
    const policy = policyWith({ ssrfProtection, ssrfAllow: everything, ssrfDeny });
    expect(await policy.allows('10.244.7.7', ['10.244.7.7'], 6379)).toBe(false);
    expect(await policy.allows('10.244.7.7', ['10.244.7.7'], 6380)).toBe(true);
    expect(await policy.allows('10.244.7.7', ['10.244.7.7'], undefined)).toBe(false);
    expect(await policy.allows('192.168.1.1', ['192.168.1.1'], 443)).toBe(false);
    expect(await policy.allows('127.0.0.9', ['127.0.0.9'], 5679)).toBe(false);
  });

  test.each(['127.0.0.1:5679', '[::1]:5679', '127.0.0.1/32:5679', '[::ffff:127.0.0.1]:5679'])(
    'SSRF_DENY with %s refuses the port at every address of this machine',
    async (entry) => {
      const policy = policyWith({ ssrfProtection: 'off', ssrfDeny: [entry] });
      const forms = ['127.0.0.1', '127.0.0.2', '0.0.0.0', '::', '::1', '::ffff:0.0.0.0', '::ffff:127.0.0.1', '64:ff9b::7f00:1'];
      for (const form of forms) {
        expect([form, await policy.allows(form, [form], 5679)]).toEqual([form, false]);
        expect([form, await policy.allows(form, [form], 5680)]).toEqual([form, true]);
      }
      expect(await policy.allows('1.1.1.1', ['1.1.1.1'], 5679)).toBe(true);
    },
  );
});
