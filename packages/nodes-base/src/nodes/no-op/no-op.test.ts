import { expect, test } from '@jest/globals';
import { runNode } from '../../testing/fake-context.ts';
import { noOp } from './no-op.ts';

test('items pass with their binary data, paired with themselves', async () => {
  const binary = { file: { id: 'b1', mimeType: 'text/plain' } };
  const output = await runNode(noOp, { inputs: [[{ json: { a: 1 }, binary }, { json: { a: 2 } }]] });
  expect(output).toEqual([
    [
      { json: { a: 1 }, binary, pairedItem: { item: 0 } },
      { json: { a: 2 }, pairedItem: { item: 1 } },
    ],
  ]);
});
