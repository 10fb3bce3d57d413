import { describe, expect, test } from '@jest/globals';
import type { Item, JsonObject, NodeOutput } from '@sluice/node-sdk';
import { runNode } from '../../testing/fake-context.ts';
import { splitInBatches } from './split-in-batches.ts';

const items = (...ids: number[]): Item[] => ids.map((id) => ({ json: { id } }));
const idsOf = (output: Item[] | null | undefined) => (output ?? []).map(({ json }) => json['id']);

/** Runs the node as an engine would, run by run, with the items that arrive in each. */
async function loop(arrivals: Item[][], typeVersion: number, parameters: (run: number) => JsonObject) {
  const runs: { output: NodeOutput; context: JsonObject }[] = [];
  let nodeContext: JsonObject | undefined;
  for (const [runIndex, arrived] of arrivals.entries()) {
    const keep = (next: JsonObject) => {
      nodeContext = next;
    };
    const output = await runNode(splitInBatches, {
      inputs: [arrived],
      typeVersion,
      runIndex,
      parameters: parameters(runIndex),
      earlierRuns: arrivals.slice(0, runIndex),
      ...(nodeContext && { nodeContext }),
      keep,
    });
    runs.push({ output, context: nodeContext ?? {} });
  }
  return runs;
}

describe('split in batches 3', () => {
  const run = (arrivals: Item[][], parameters = (_: number): JsonObject => ({ batchSize: 2 })) => loop(arrivals, 3, parameters);

  test('emits batch after batch at its second output, then the returned items at its first', async () => {
    const runs = await run([items(1, 2, 3), items(10, 20), items(30)]);
    expect(runs.map(({ output: [done, batch] }) => [idsOf(done), idsOf(batch)])).toEqual([
      [[], [1, 2]],
      [[], [3]],
      [[10, 20, 30], []],
    ]);
  });

  test('has batches of one item by default', async () => {
    const [first] = await run([items(1, 2)], () => ({}));
    expect(idsOf(first?.output[1])).toEqual([1]);
  });

  test('pairs each item with the run and the position in which it arrived', async () => {
    const runs = await run([items(1, 2, 3), items(10, 20), items(30)]);
    expect(runs[1]?.output[1]?.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 2, run: 0 }]);
    expect(runs[2]?.output[0]?.map(({ pairedItem }) => pairedItem)).toEqual([
      { item: 0, run: 1 },
      { item: 1, run: 1 },
      { item: 0 },
    ]);
  });

  test('exposes its progress', async () => {
    const runs = await run([items(1, 2, 3), items(1), items(3)]);
    expect(runs.map(({ context }) => context)).toEqual([
      expect.objectContaining({ currentRunIndex: 0, maxRunIndex: 2, noItemsLeft: false, done: false }),
      expect.objectContaining({ currentRunIndex: 1, maxRunIndex: 2, noItemsLeft: true, done: false }),
      expect.objectContaining({ currentRunIndex: 2, noItemsLeft: true, done: true }),
    ]);
  });

  test('starts over with the arriving items when it is reset', async () => {
    const runs = await run([items(1), items(1), items(7, 8)], (index) => ({ batchSize: 2, options: { reset: index === 2 } }));
    expect(runs[2]).toMatchObject({ context: { currentRunIndex: 0, done: false } });
    expect(idsOf(runs[2]?.output[1])).toEqual([7, 8]);
  });

  test('a finished loop that is not reset returns its returned items again', async () => {
    const runs = await run([items(1), items(2), items(3)]);
    expect(runs.map(({ output }) => idsOf(output[0]))).toEqual([[], [2], [2, 3]]);
  });

  test.each([0, -1, 'many'])('a batch size of %j is refused', async (batchSize) => {
    await expect(run([items(1)], () => ({ batchSize }))).rejects.toThrow('"batchSize"');
  });
});

describe('split in batches 1 and 2', () => {
  const arrivals = [items(...Array.from({ length: 12 }, (_, id) => id)), items(1), items(2)];

  test('version 2 has the batches, of ten items, at its first output, and "done" at its second', async () => {
    const runs = await loop(arrivals, 2, () => ({}));
    expect(runs.map(({ output }) => output.map((list) => list?.length))).toEqual([
      [10, 0],
      [2, 0],
      [0, 2],
    ]);
  });

  test('version 1 returns nothing when it is done', async () => {
    const runs = await loop(arrivals, 1, () => ({}));
    expect(runs.map(({ output }) => output.map((list) => list?.length))).toEqual([[10], [2], [0]]);
    expect(splitInBatches.outputs?.({}, 1)).toHaveLength(1);
  });
});
