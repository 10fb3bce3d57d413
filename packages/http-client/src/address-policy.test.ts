import { describe, expect, test } from '@jest/globals';
import { createAddressPolicy } from './address-policy.ts';

describe('address policy', () => {
  const strict = createAddressPolicy({ ssrfProtection: 'on', ssrfAllow: [] });

  test.each(['1.1.1.1', '93.184.216.34', '2606:4700:4700::1111', '::ffff:1.1.1.1'])(
    'public address %s is allowed',
    (address) => {
      expect(strict.allowsAddress(address)).toBe(true);
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
  ])('%s (%s) is refused', (_, address) => {
    expect(strict.allowsAddress(address)).toBe(false);
  });

  test('a CIDR of the allow-list lets its range through and no other', () => {
    const policy = createAddressPolicy({ ssrfProtection: 'on', ssrfAllow: ['10.1.0.0/16', 'fd00::/8', '127.0.0.1'] });
    expect(policy.allowsAddress('10.1.200.3')).toBe(true);
    expect(policy.allowsAddress('::ffff:10.1.200.3')).toBe(true);
    expect(policy.allowsAddress('fd12::1')).toBe(true);
    expect(policy.allowsAddress('127.0.0.1')).toBe(true);
    expect(policy.allowsAddress('10.2.0.1')).toBe(false);
    expect(policy.allowsAddress('127.0.0.2')).toBe(false);
  });

  test('a host name of the allow-list counts exactly, whatever its case and trailing dot', () => {
    const policy = createAddressPolicy({ ssrfProtection: 'strict', ssrfAllow: ['Internal.example'] });
    expect(policy.allowsHost('internal.EXAMPLE.')).toBe(true);
    expect(policy.allowsHost('sub.internal.example')).toBe(false);
  });

  test('a wildcard of the allow-list counts for the names below it alone', () => {
    const policy = createAddressPolicy({ ssrfProtection: 'on', ssrfAllow: ['*.Internal.example'] });
    expect(policy.allowsHost('a.internal.example')).toBe(true);
    expect(policy.allowsHost('A.b.INTERNAL.example.')).toBe(true);
    expect(policy.allowsHost('internal.example')).toBe(false);
    expect(policy.allowsHost('evilinternal.example')).toBe(false);
    expect(policy.allowsHost('a.internal.example.org')).toBe(false);
  });

  test('a malformed CIDR in the allow-list is an error at once', () => {
    expect(() => createAddressPolicy({ ssrfProtection: 'on', ssrfAllow: ['10.0.0.0/64'] })).toThrow('10.0.0.0/64');
  });

  test('off allows everything', () => {
    expect(createAddressPolicy({ ssrfProtection: 'off', ssrfAllow: [] }).allowsAddress('127.0.0.1')).toBe(true);
  });
});
