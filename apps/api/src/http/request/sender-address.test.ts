import { expect, test } from '@jest/globals';
import { clientAddress, type Sender, senderAddress } from './sender-address.ts';

const proxy = '192.0.2.1';
const from = (ip: string | undefined) => senderAddress({ ip, socket: { remoteAddress: proxy } } as Sender);

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:5678', '203.0.113.7'],
  ['2001:db8::1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:5678', '2001:db8::1'],
  ['::ffff:203.0.113.7', '::ffff:203.0.113.7'],
  ['fe80::1%eth0', 'fe80::1%eth0'],
])('the sender %s of a proxy has the address %s', (reported, address) => {
  expect(from(reported)).toBe(address);
});

test.each([undefined, '', 'unknown', '_hidden', '1.2.3', '203.0.113.7:x', '[x]:1', '<b>', 'x'.repeat(10_000)])(
  'something that is not an address is replaced by the address of the connection: %j',
  (reported) => {
    expect(from(reported)).toBe(proxy);
  },
);

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
])('%s is the client %s', (address, client) => {
  expect(clientAddress({ ip: address, socket: {} } as Sender)).toBe(client);
});
