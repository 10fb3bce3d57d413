import { describe, expect, test } from '@jest/globals';
import { AppError, NodeApiError, NodeOperationError } from '@sluice/node-sdk';
import { fakeContext } from '../testing/fake-context.ts';
import { errorOfItem, mapItems } from './per-item.ts';

describe('errorOfItem', () => {
  test('adds the item to an error without an item and keeps everything else', () => {
    const error = new NodeApiError('refused', { description: 'ask again', details: { status: 409 } });
    expect(errorOfItem(error, 3)).toMatchObject({
      name: 'NodeApiError',
      code: 'NODE_API_ERROR',
      message: 'refused',
      description: 'ask again',
      details: { status: 409 },
      itemIndex: 3,
      cause: error,
    });
    const ofPort = new AppError({ code: 'FILE_NOT_FOUND', message: 'gone' });
    expect(errorOfItem(ofPort, 1)).toMatchObject({ code: 'FILE_NOT_FOUND', message: 'gone', itemIndex: 1 });
  });

  test.each([
    new NodeOperationError('named', { itemIndex: 0 }),
    new AppError({ code: 'INTERNAL_ERROR', message: 'an invariant', kind: 'defect' }),
    new TypeError('a mistake of ours'),
  ])('does not change an error that names an item or is not the item’s fault: %s', (error) => {
    expect(errorOfItem(error, 3)).toBe(error);
  });
});

test('an error in a step gets the step’s item', async () => {
  const context = fakeContext({ json: [{}, {}] });
  const step = (_: unknown, index: number) => {
    if (index === 1) throw new NodeOperationError('no');
    return [];
  };
  await expect(mapItems(context, step)).rejects.toMatchObject({ message: 'no', itemIndex: 1 });
});

test('half a surrogate pair in an address is an error of the item, not a defect', async () => {
  const run = mapItems(fakeContext({ json: [{}, { id: 'a\ud83d' }] }), ({ json }) => ({
    json: { url: encodeURIComponent(String(json['id'])) },
  }));
  await expect(run).rejects.toMatchObject({ code: 'NODE_OPERATION_ERROR', itemIndex: 1 });
});

test('a stop ends a long run between two items', async () => {
  const stopping = new AbortController();
  const context = fakeContext({ json: Array.from({ length: 100 }, () => ({})), signal: stopping.signal });
  let count = 0;
  const step = () => {
    count += 1;
    for (const end = performance.now() + 6; performance.now() < end; );
    return [];
  };
  setImmediate(() => stopping.abort(new Error('stopped')));
  await expect(mapItems(context, step)).rejects.toThrow('stopped');
  expect(count).toBeLessThan(100);
});
