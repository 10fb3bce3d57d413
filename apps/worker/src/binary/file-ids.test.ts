import { describe, expect, test } from '@jest/globals';
import { newBinaryId } from '@sluice/binary-store';
import type { Item } from '@sluice/domain';
import { broughtFileIds } from './file-ids.ts';

const item = (...ids: string[]): Item => ({
  json: {},
  binary: Object.fromEntries(ids.map((id, i) => [`f${i}`, { id, mimeType: 'text/plain' }])),
});

describe('broughtFileIds', () => {
  test('lists each file in the input of a workflow once', () => {
    const [a, b] = [newBinaryId(), newBinaryId()];
    expect(broughtFileIds({ trigger: { items: [item(a, b), { json: {} }, item(a)] } })).toEqual([a, b]);
  });

  test('lists the files in the output of called workflows', () => {
    const [a, b] = [newBinaryId(), newBinaryId()];
    const results = [
      { executionId: '2', status: 'success' as const, items: [item(a)] },
      { executionId: '3', status: 'failed' as const, error: { message: 'x' } },
      { executionId: '4', status: 'success' as const, items: [item(b)] },
    ];
    expect(broughtFileIds({ event: { kind: 'workflows', results } })).toEqual([a, b]);
    expect(broughtFileIds({ event: { kind: 'time' } })).toEqual([]);
  });

  test('ignores values that are not references', () => {
    const odd = { json: {}, binary: { a: null, b: 'text', c: { id: 5 }, d: { id: '../x' } } } as unknown as Item;
    expect(broughtFileIds({ trigger: { items: [odd, { json: {}, binary: 'text' } as unknown as Item] } })).toEqual([]);
  });
});
