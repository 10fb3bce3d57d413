import { expect, test } from '@jest/globals';
import { SecretScrubber } from '@sluice/vault';
import { startOutputs } from './source-items.ts';

const rules = { nodeName: 'Poll', scrubber: new SecretScrubber(), maxBytes: 1_000 };
const item = (n: number, length = 400) => ({ json: { n, text: 'x'.repeat(length) } });

test('what a poll finds at once starts one execution for each output', async () => {
  const outputs = await startOutputs([[item(1), item(2)], null, [item(3)]], rules);
  expect(outputs.map(({ items, output }) => [output, items.map(({ json }) => json['n'])])).toEqual([
    [0, [1, 2]],
    [2, [3]],
  ]);
});

test('more items than an execution may start with are divided over several, in their order', async () => {
  const outputs = await startOutputs([[1, 2, 3, 4, 5].map((n) => item(n)), [item(6, 700), item(7)]], rules);
  expect(outputs.map(({ items, output }) => [output, items.map(({ json }) => json['n'])])).toEqual([
    [0, [1, 2]],
    [0, [3, 4]],
    [0, [5]],
    [1, [6]],
    [1, [7]],
  ]);
  for (const { items } of outputs) expect(JSON.stringify(items).length).toBeLessThanOrEqual(rules.maxBytes);
});

test('an item that is too large alone is refused, with what to do', async () => {
  await expect(startOutputs([item(1), item(2, 1_000)], rules)).rejects.toMatchObject({
    code: 'TRIGGER_DATA_TOO_LARGE',
    message: expect.stringMatching(/^one of its items has \d+ bytes, over the limit of 1000 \(NODE_RUN_MAX_BYTES\)/),
  });
});
