import { describe, expect, test } from '@jest/globals';
import type { Sender } from '../http/request/sender-address.ts';
import { clientAddress } from './client-address.ts';

const from = (ip: string | undefined) => clientAddress({ ip, socket: {} } as Sender);

describe('clientAddress', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::ffff', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8::/64'],
    ['::1', '::/64'],
    ['::', '::/64'],
    ['64:ff9b::203.0.113.7', '64:ff9b::/64'],
    ['1:2:3:4:5:6:203.0.113.7', '1:2:3:4::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    [undefined, 'unknown'],
  ])('%s counts as %s', (address, expected) => {
    expect(from(address)).toBe(expected);
  });
});
