import { expect, test } from '@jest/globals';
import { sizeIssues } from './size-limits.ts';

test('a credential value is at most 64 KiB, and all values together 1 MiB', () => {
  const fields = (count: number, size: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, 'x'.repeat(size)]));
  expect(sizeIssues({ key: 'x'.repeat(65_536) })).toEqual([]);
  expect(sizeIssues({ key: 'x'.repeat(65_537), other: 1 })).toMatchObject([{ path: '/key' }]);
  expect(sizeIssues({ key: 'é'.repeat(32_769) })).toMatchObject([{ path: '/key' }]);
  expect(sizeIssues({ json: { deep: ['x'.repeat(65_536)] } })).toMatchObject([{ path: '/json' }]);
  expect(sizeIssues({ json: Array.from({ length: 900_000 }, () => ({})) })).toMatchObject([{ path: '/json' }]);
  expect(sizeIssues({ json: Array.from({ length: 20_000 }, () => 1) })).toEqual([]);
  expect(sizeIssues(fields(15, 65_536))).toEqual([]);
  expect(sizeIssues(fields(16, 65_536))).toMatchObject([{ path: '' }]);
  expect(sizeIssues(fields(1_000, 1))).toEqual([]);
  expect(sizeIssues(fields(1_001, 1))).toEqual([{ path: '', message: 'must not have more than 1000 fields' }]);
});

test('credential data contains at most 5,000 different strings, because redaction searches for many forms of each', () => {
  const texts = (count: number) => Array.from({ length: count }, (_, i) => `text ${i}`);
  const issue = { path: '', message: 'must not contain more than 5000 different strings, including those in JSON' };
  expect(sizeIssues({ json: texts(4_000), text: JSON.stringify({ texts: texts(4_900) }) })).toEqual([]);
  expect(sizeIssues({ json: texts(5_001) })).toEqual([issue]);
  expect(sizeIssues({ text: JSON.stringify({ texts: texts(5_001) }) })).toEqual([issue]);
  expect(sizeIssues({ json: Array(6_000).fill('same') })).toEqual([]);
});
