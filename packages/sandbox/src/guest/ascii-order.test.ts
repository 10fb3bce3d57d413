import { expect, test } from '@jest/globals';
import { compareAscii, isPlainAscii } from './ascii-order.ts';

const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));

test('printable ASCII has the same order as in the host', () => {
  const { compare } = new Intl.Collator('en-US');
  const texts = [
    ...printable,
    'ab',
    'aB',
    'Ab',
    'a b',
    'a-b',
    'résumé',
    'resume',
    'co-op',
    'coop',
    'z1',
    'Z1',
    'A',
    'aa',
    'AA',
    '',
  ];
  const plain = texts.filter(isPlainAscii);
  expect(plain.length).toBe(texts.length - 1);
  for (const a of plain) {
    for (const b of plain) expect({ a, b, order: compareAscii(a, b) }).toEqual({ a, b, order: compare(a, b) });
  }
});
