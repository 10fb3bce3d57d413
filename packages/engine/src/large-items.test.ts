import { describe, expect, test } from '@jest/globals';
import { GraphIndex, type Item, type NodeRun } from '@sluice/domain';
import { failedItem } from '@sluice/node-sdk';
import { longestBusy } from '@sluice/test-support';
import { NodeInputs } from './node/node-inputs.ts';
import { errorOutput, isLarge, moveFailedItems, passOn, toLargeOutput, toNodeOutput } from './node/node-output.ts';
import { tracePairedItem } from './node/paired-item.ts';
import { FinishedRun, RunState } from './node/run-state.ts';
import { graphOf, runGraph } from './testing/run-graph.ts';
import { linkEarlierRuns } from './walk/earlier-runs.ts';

const many = (count: number): Item[] => Array.from({ length: count }, (_, id) => ({ json: { id }, pairedItem: { item: id } }));

test('a million items are copied, checked, and paired in time slices', async () => {
  const arrived = many(1_000_000);
  const copied = [arrived.map(({ json }) => ({ json }))];
  const inputs = new NodeInputs([arrived], false);
  expect(await longestBusy(() => inputs.prepare())).toBeLessThan(250);
  expect(inputs.items(0)).toHaveLength(arrived.length);
  let output: unknown;
  expect(await longestBusy(async () => (output = await toLargeOutput(copied, 'N', inputs)))).toBeLessThan(250);
  expect(output).toHaveLength(1);
});

const failure = { error: 'failed', asOne: false };
test.each<[string, (inputs: NodeInputs, failed: Item[]) => Promise<(Item[] | null)[]>]>([
  ['on the regular output', (inputs) => passOn(inputs, 0)],
  ['on the error output', (inputs) => errorOutput(inputs, failure, 0)],
  ['failed items', (inputs, failed) => moveFailedItems([failed], inputs, 0)],
])('a failure with 1,400,000 items is handled in time slices: %s', async (_, outputOf) => {
  const arrived = many(1_400_000);
  const inputs = new NodeInputs([arrived], false);
  await inputs.prepare();
  const failed = arrived.map((_, index) => failedItem('failed', index));
  let output: (Item[] | null)[] = [];
  expect(await longestBusy(async () => (output = await outputOf(inputs, failed)))).toBeLessThan(250);
  expect(output).toHaveLength(1);
  expect(output[0]?.at(-1)).toMatchObject({ json: { id: 1_399_999 }, pairedItem: { item: 1_399_999 } });
});

test('an item that represents 1,400,000 items is paired in time slices', async () => {
  const inputs = new NodeInputs([many(1_400_000)], false);
  let output: (Item[] | null)[] = [];
  const work = async () => (output = await errorOutput(inputs, { ...failure, asOne: true }, 0));
  await inputs.prepare();
  expect(await longestBusy(work)).toBeLessThan(250);
  expect(output[0]?.[0]?.pairedItem).toHaveLength(1_400_000);
});

function finished(name: string, items: Item[], from?: FinishedRun): FinishedRun {
  const run = { startTime: 0, executionTime: 0, executionStatus: 'success' as const, source: [], data: { main: [items] } };
  return new FinishedRun(name, 0, run, from ? [{ from, output: 0 }] : []);
}

describe('tracing the origin of an item created from a million items does not block the event loop', () => {
  const pairs = Array.from({ length: 1_000_000 }, (_, item) => ({ item }));
  const index = new GraphIndex(graphOf(['Start -> Middle', 'Middle -> End']));
  const trace = async (nodeName: string, first: Item[]) => {
    const start = finished('Start', first);
    const middle = finished(
      'Middle',
      pairs.map(({ item }) => ({ json: {}, pairedItem: Math.min(item, first.length - 1) })),
      start,
    );
    const end = finished('End', [{ json: {}, pairedItem: pairs }], middle);
    const state = new RunState(new Map([start, middle, end].map((run) => [run.nodeName, [run]])));
    let traced: unknown;
    const busy = await longestBusy(() => {
      traced = tracePairedItem(nodeName, { source: { from: end, output: 0 }, index: 0, isAncestor: () => false }, state, index);
    });
    expect(busy).toBeLessThan(250);
    return traced;
  };

  test('that were all created from one item', async () => {
    const item = { json: { a: 1 } };
    expect(await trace('Start', [item])).toEqual({ item });
  });

  test('that were created from two items', async () => {
    expect(await trace('Start', [{ json: {} }, { json: {} }])).toEqual({ error: expect.stringContaining('Multiple matches') });
  });

  test('that did not come from the node', async () => {
    expect(await trace('Other', [{ json: {} }])).toEqual({ error: 'node "Other" did not contribute to this item' });
  });
});

test('the runs of an earlier execution are linked in time slices', async () => {
  const items = many(1_000_000).map(({ json }) => ({ json }));
  const run = (source: NodeRun['source']): NodeRun => ({
    startTime: 0,
    executionTime: 0,
    executionStatus: 'success',
    source,
    data: { main: [items] },
  });
  const graph = graphOf(['T -> X', 'X -> Y'], { T: { type: 'manual-trigger' } });
  const runData = { T: [run([])], X: [run([{ previousNode: 'T' }])] };
  let linked: Map<string, FinishedRun[]> | undefined;
  const work = async () => (linked = await linkEarlierRuns(new GraphIndex(graph), runData, () => true));
  expect(await longestBusy(work)).toBeLessThan(250);
  expect(linked?.get('X')?.[0]?.outputs[0]?.at(-1)).toMatchObject({ pairedItem: { item: 999_999 } });
});

test.each([
  ['items without a pairing', [[{ json: { a: 1 } }, { json: { a: 2 } }], null]],
  ['one item', [[{ json: {} }]]],
  ['items that have a pairing, and other members', [[{ json: {}, pairedItem: 1, extra: true }]]],
  ['a value that is not an item', [[{ json: {} }, 'x']]],
  ['a value that is not a list', [{ json: {} }]],
  ['a value instead of outputs', 'x'],
])('%s: a large output is handled like a small output', async (_, raw) => {
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

test('a run passes many items like a few', async () => {
  const pinned = many(30_000);
  expect(isLarge([pinned])).toBe(true);
  const { runData } = await runGraph(
    graphOf(['T -> X', 'X -> Out'], { T: { type: 'manual-trigger' } }, { pinData: { T: pinned } }),
  );
  const [out = []] = runData['Out']?.[0]?.data?.['main'] ?? [];
  expect(out).toHaveLength(30_000);
  expect(out?.at(-1)).toMatchObject({ json: { id: 29_999 }, pairedItem: { item: 29_999 } });
});
