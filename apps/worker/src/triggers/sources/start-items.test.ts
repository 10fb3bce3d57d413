import { expect, test } from '@jest/globals';
import { SecretScrubber } from '@sluice/vault';
import { NodeRunJson } from '../../run-data/node-run-json.ts';
import { startOutputs } from './start-items.ts';

const rules = { nodeName: 'Poll', scrubber: new SecretScrubber(), maxBytes: 2_000 };
const item = (n: number, length = 400) => ({ json: { n, text: 'x'.repeat(length) } });

test('the items of a poll start one execution per output', async () => {
  const outputs = await startOutputs([[item(1), item(2)], null, [item(3)]], rules);
  expect(outputs.map(({ items, output }) => [output, items.map(({ json }) => json['n'])])).toEqual([
    [0, [1, 2]],
    [2, [3]],
  ]);
});

test('items above the limit of one execution are split across several executions, in order', async () => {
  const outputs = await startOutputs([[1, 2, 3, 4, 5].map((n) => item(n)), [item(6, 1_200), item(7)]], rules);
  expect(outputs.map(({ items, output }) => [output, items.map(({ json }) => json['n'])])).toEqual([
    [0, [1, 2]],
    [0, [3, 4]],
    [0, [5]],
    [1, [6]],
    [1, [7]],
  ]);
  for (const { items } of outputs) expect(JSON.stringify(items).length).toBeLessThanOrEqual(rules.maxBytes);
});

test.each([10_000, 11_000])(
  '%d bytes of items fit into the node run of the trigger and leave capacity for later nodes',
  async (bytes) => {
    const maxBytes = 10_100;
    const sourceItems = Array.from({ length: bytes / 50 }, (_, n) => item(100 + n, 19)); // 50 bytes each, with a comma
    const outputs = await startOutputs(sourceItems, { ...rules, maxBytes });
    expect(outputs.flatMap(({ items }) => items)).toEqual(sourceItems);
    const runs = new NodeRunJson({
      limits: { nodeRunMaxBytes: maxBytes, executionMaxBytes: 10 * maxBytes },
      bytes: 0,
      scrubber: rules.scrubber,
    });
    for (const { items } of outputs) {
      const main = [items.map((one, index) => ({ ...one, pairedItem: { item: index } }))];
      const run = { startTime: Date.now(), executionTime: 1, executionStatus: 'success' as const, source: [], data: { main } };
      expect(typeof runs.of({ nodeName: 'Poll', runIndex: 0, run })).toBe('string');
    }
  },
);

test('a single item that is too large is rejected with instructions', async () => {
  await expect(startOutputs([item(1), item(2, 1_500)], rules)).rejects.toMatchObject({
    code: 'TRIGGER_DATA_TOO_LARGE',
    message: expect.stringMatching(/^one of its items has \d+ bytes, too many for the limit of 2000 \(NODE_RUN_MAX_BYTES\)/),
  });
});
