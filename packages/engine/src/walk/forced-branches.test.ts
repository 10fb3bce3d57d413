import { describe, expect, jest, test } from '@jest/globals';
import { GraphIndex } from '@sluice/domain';
import { graphOf, type NodeSpec, runGraph, testEngine } from '../testing/run-graph.ts';
import { asItems, testType } from '../testing/test-nodes.ts';

const legacy = { settings: {} };
const aTrigger: Record<string, NodeSpec> = {
  T: { type: 'manual-trigger' },
  If: { type: 'route', parameters: { value: true } },
};
const bothSides = ['T -> If', 'If:0 -> A', 'If:1 -> B', 'A -> M:0', 'B -> M:1'];
const merged = { ...aTrigger, M: { type: 'append' } };

describe('in the legacy order', () => {
  test('the empty branch of an If runs with one empty item for the merge after it', async () => {
    const { order, json, runData } = await runGraph(graphOf(bothSides, merged, legacy));
    expect(order).toEqual(['T', 'If', 'A', 'B', 'M']);
    expect(json('M')).toEqual([{ via: ['A'] }, { via: ['B'] }]);
    expect(runData['B']?.[0]?.source).toEqual([{ previousNode: 'A' }]);
    expect(runData['M']?.[0]?.source).toEqual([{ previousNode: 'A' }, { previousNode: 'B' }]);
  });

  test('expressions in a forced branch read the items for which the merge waits', async () => {
    const tag = '={{ $("T").item.json.id }}';
    const pinned = { ...legacy, pinData: { T: asItems({ id: 7 }, { id: 8 }) } };
    const { json } = await runGraph(graphOf(bothSides, { ...merged, B: { parameters: { tag } } }, pinned));
    expect(json('B')).toMatchObject([{ via: [7] }]);
  });

  test('a forced branch that ends without items is not forced again', async () => {
    const edges = ['T -> If', 'If:0 -> A', 'If:1 -> B', 'A -> M:0', 'B -> Drop', 'Drop -> C', 'C -> M:1'];
    const { order } = await runGraph(graphOf(edges, { ...merged, Drop: { type: 'drop' } }, legacy));
    expect(order).toEqual(['T', 'If', 'A', 'B', 'Drop', 'M']);
  });

  test.each<[string, string[], string[]]>([
    ['ends later', ['T -> M:0', 'T -> If', 'If:1 -> B', 'B -> M:1'], ['T', 'If', 'M']],
    [
      'was still due to run when the merge started to wait',
      [...bothSides, 'T -> M:2', 'A -> C', 'C -> M:3'],
      ['T', 'If', 'A', 'C', 'M'],
    ],
    ['does not lead to the merge', ['T -> M:0', 'T -> If', 'If:0 -> A', 'If:1 -> B', 'B -> M:1'], ['T', 'If', 'A', 'M']],
  ])('a branch that %s does not run', async (_, edges, expected) => {
    const { order } = await runGraph(graphOf(edges, merged, legacy));
    expect(order).toEqual(expected);
  });

  test('a branch that ended before the merge started to wait runs before nodes that become due later', async () => {
    const edges = ['T -> If', 'T -> P', 'If:1 -> B', 'B -> M:1', 'P -> M:0', 'P -> Q', 'Q -> R'];
    const { order } = await runGraph(graphOf(edges, merged, legacy));
    expect(order).toEqual(['T', 'If', 'P', 'Q', 'B', 'R', 'M']);
  });

  test('a branch without nodes and a branch without a waiting node remain empty', async () => {
    const edges = ['T -> If', 'If:0 -> A', 'A -> M:0', 'If:1 -> M:1', 'If:1 -> Other'];
    const { order } = await runGraph(graphOf(edges, merged, legacy));
    expect(order).toEqual(['T', 'If', 'A', 'M']);
  });

  test('the return path of a loop is not forced before its merge has run', async () => {
    const edges = ['T -> M:0', 'M -> L', 'L:1 -> Back', 'Back -> M:1', 'L:0 -> End'];
    const { order } = await runGraph(graphOf(edges, { ...merged, L: { type: 'loop', parameters: { rounds: 1 } } }, legacy));
    expect(order).toEqual(['T', 'M', 'L', 'Back', 'M', 'L', 'End']);
  });

  test('each node before a merge with many inputs is visited a few times, not once per input', async () => {
    const before = Array.from({ length: 300 }, (_, n) => [`S${n} -> S${(n + 1) % 300}`, `S${n} -> S${(7 * n) % 300}`]);
    const inputs = Array.from({ length: 100 }, (_, n) => [`S299 -> X${n}`, `X${n} -> M:${n + 1}`]);
    const edges = ['T -> If', 'If:0 -> M:0', 'If:1 -> S0', ...before.flat(), ...inputs.flat()];
    const reads = jest.spyOn(GraphIndex.prototype, 'incoming');
    const { order } = await runGraph(graphOf(edges, merged, legacy), { maxNodeRuns: 3 });
    expect(order).toEqual(['T', 'If', 'S0']);
    expect(reads.mock.calls.length).toBeLessThan(10 * 400);
    jest.restoreAllMocks();
  });

  test('nodes that the run cannot reach are not forced', async () => {
    const edges = [...bothSides, 'Webhook -> B'];
    const { order } = await runGraph(graphOf(edges, { ...merged, Webhook: { type: 'other-trigger' } }, legacy));
    expect(order).toEqual(['T', 'If', 'A', 'B', 'M']);
  });
});

test.each([
  [{}, true],
  [{ executionOrder: 'v0' as const }, true],
  [{ executionOrder: 'v1' as const }, false],
])('nodes of a workflow with the settings %j can read whether its order is the legacy order', async (settings, isLegacy) => {
  const engine = testEngine();
  engine.types.set(
    'base.order',
    testType('order', ({ isLegacyOrder = false }) => [asItems({ isLegacyOrder })]),
  );
  const { json } = await runGraph(graphOf(['T -> X'], { X: { type: 'order' } }, { settings }), {}, engine);
  expect(json('X')).toEqual([{ isLegacyOrder: isLegacy }]);
});

test('in the order v1 the empty branch of an If does not run', async () => {
  const { order, json } = await runGraph(graphOf(bothSides, merged));
  expect(order).toEqual(['T', 'If', 'A', 'M']);
  expect(json('M')).toEqual([{ via: ['A'] }]);
});
