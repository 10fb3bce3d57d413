import { expect, test } from '@jest/globals';
import { type Sender, senderAddress } from './sender-address.ts';

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
