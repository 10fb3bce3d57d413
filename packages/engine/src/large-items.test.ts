import { expect, test } from '@jest/globals';
import type { Item } from '@sluice/domain';
import { longestBusy } from '@sluice/test-support';
import { NodeInputs } from './node-inputs.ts';
import { isLarge, toLargeOutput, toNodeOutput } from './node-output.ts';
import { graphOf, runGraph } from './testing/run-graph.ts';

const many = (count: number): Item[] => Array.from({ length: count }, (_, id) => ({ json: { id }, pairedItem: { item: id } }));

test('a million items are copied, checked and paired in time slices', async () => {
  const arrived = many(1_000_000);
  const given = [arrived.map(({ json }) => ({ json }))];
  const inputs = new NodeInputs([arrived], false);
  expect(await longestBusy(() => inputs.prepare())).toBeLessThan(100);
  expect(inputs.items(0)).toHaveLength(arrived.length);
  let output: unknown;
  expect(await longestBusy(async () => (output = await toLargeOutput(given, 'N', inputs)))).toBeLessThan(100);
  expect(output).toHaveLength(1);
});

test.each([
  ['items without a pairing', [[{ json: { a: 1 } }, { json: { a: 2 } }], null]],
  ['one item', [[{ json: {} }]]],
  ['items that have a pairing, and other members', [[{ json: {}, pairedItem: 1, extra: true }]]],
  ['a value that is no item', [[{ json: {} }, 'x']]],
  ['a value that is no list', [{ json: {} }]],
  ['no list at all', 'x'],
])('%s: output of many items is handled like that of few', async (_, raw) => {
  const inputs = () => new NodeInputs([[{ json: {} }, { json: {} }]], false);
  const few = () => toNodeOutput(raw, 'N', inputs());
  let expected: unknown;
  try {
    expected = few();
  } catch (error) {
    await expect(toLargeOutput(raw, 'N', inputs())).rejects.toEqual(error);
    return;
  }
  expect(await toLargeOutput(raw, 'N', inputs())).toEqual(expected);
});

test('a run passes on many items as it does few', async () => {
  const pinned = many(30_000);
  expect(isLarge([pinned])).toBe(true);
  const { runData } = await runGraph(
    graphOf(['T -> X', 'X -> Out'], { T: { type: 'manual-trigger' } }, { pinData: { T: pinned } }),
  );
  const [out = []] = runData['Out']?.[0]?.data?.['main'] ?? [];
  expect(out).toHaveLength(30_000);
  expect(out?.at(-1)).toMatchObject({ json: { id: 29_999 }, pairedItem: { item: 29_999 } });
});
