import { expect, test } from '@jest/globals';
import { assertPlain } from './assert-plain.ts';

const cyclic: { inner?: object } = {};
cyclic.inner = cyclic;
let deep = {};
for (let level = 0; level < 200_000; level++) deep = { deep };

test.each<[string, object, string]>([
  ['is within itself', cyclic, 'nested more than 100 deep, or within itself'],
  ['is very deep', deep, 'nested more than 100 deep'],
  ['has a BigInt', { a: [1n] }, 'has a BigInt'],
  ['has a great many values', { a: new Array(600_000).fill(1) }, 'more than 500000 values'],
  ['is long', { a: 'x'.repeat(9 * 1024 * 1024) }, 'more than 8 MiB'],
])('a description that %s is refused', (_, description, reason) => {
  expect(() => assertPlain(description, 'the description')).toThrow(reason);
});

test('functions and shared objects are allowed', () => {
  const shared = { a: 1 };
  expect(() => assertPlain({ one: shared, two: shared, preSend: () => 1 }, 'the description')).not.toThrow();
});
