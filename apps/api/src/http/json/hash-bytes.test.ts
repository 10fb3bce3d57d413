import { expect, test } from '@jest/globals';
import { hashBytes } from './hash-bytes.ts';

const hashOf = (text: string) => hashBytes(Buffer.from(text), 0, Buffer.byteLength(text));

test('equal bytes have the same hash at any offset', () => {
  const text = 'x'.repeat(1_000);
  expect(hashBytes(Buffer.from(`..${text}.`), 2, 1_002)).toBe(hashOf(text));
});

test.each([
  ['by a trailing zero', 'a', 'a\0'],
  ['in their last byte', `${'a'.repeat(999)}b`, `${'a'.repeat(999)}c`],
  ['in their first byte', `b${'a'.repeat(999)}`, `c${'a'.repeat(999)}`],
  ['by one byte at the end of a block', 'a'.repeat(256), 'a'.repeat(257)],
])('bytes that differ %s have different hashes', (_, one, other) => {
  expect(hashOf(one)).not.toBe(hashOf(other));
});

test('the upper bits of the hashes of numbered keys are evenly distributed', () => {
  const slots = new Set(Array.from({ length: 50_000 }, (_, i) => hashOf(`field${i}`) >>> 12));
  expect(slots.size).toBeGreaterThan(40_000);
});
