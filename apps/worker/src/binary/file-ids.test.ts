import { describe, expect, test } from '@jest/globals';
import { newBinaryId } from '@sluice/binary-store';
import type { Item } from '@sluice/domain';
import { fileIdsOf, withFiles } from './file-ids.ts';

const item = (...ids: string[]): Item => ({
  json: {},
  binary: Object.fromEntries(ids.map((id, i) => [`f${i}`, { id, mimeType: 'text/plain' }])),
});

const odd = { json: {}, binary: { a: null, b: 'text', c: { id: 5 }, d: { id: '../x' } } } as unknown as Item;
const noFiles = { json: {}, binary: 'text' } as unknown as Item;

describe('fileIdsOf', () => {
  test('lists each file once', () => {
    const [a, b] = [newBinaryId(), newBinaryId()];
    expect(fileIdsOf([item(a, b), { json: {} }, item(a)])).toEqual([a, b]);
  });

  test('ignores values that are not references', () => {
    expect(fileIdsOf([odd, noFiles])).toEqual([]);
  });
});

test('withFiles removes references to other files, and values that are not references', () => {
  const [a, b] = [newBinaryId(), newBinaryId()];
  const [both, first] = [item(a, b), item(a)];
  expect(withFiles([both, first, item(b), odd, noFiles, { json: { n: 1 } }], new Set([a]))).toEqual([
    first,
    first,
    { json: {} },
    { json: {} },
    { json: {} },
    { json: { n: 1 } },
  ]);
});
