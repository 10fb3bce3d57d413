import { describe, expect, test } from '@jest/globals';
import type { NodeOutput } from '@sluice/node-sdk';
import { graphOf, type NodeSpec, runGraph, testEngine } from '../testing/run-graph.ts';
import { pairsOf, run } from '../testing/run-three-items.ts';
import { asItems, testType } from '../testing/test-nodes.ts';

describe('a missing pairedItem', () => {
  const pairsFor = async (output: NodeOutput, options: NodeSpec = {}) => {
    const engine = testEngine();
    engine.types.set(
      'base.silent',
      testType('silent', () => output),
    );
    return (await run({ type: 'silent', ...options }, 'manual', engine)).runData;
  };

  test('is the item at the same index if input and output have equal length', async () => {
    expect(pairsOf(await pairsFor([asItems({}, {}, {})]))).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
  });

  test('is the first input item for the only item of the only output', async () => {
    expect(pairsOf(await pairsFor([asItems({})]))).toEqual([{ item: 0 }]);
    expect(pairsOf(await pairsFor([[], asItems({})]), 1)).toEqual([undefined]);
  });

  test('stays undefined if several items become a different number of items', async () => {
    expect(pairsOf(await pairsFor([asItems({}, {})]))).toEqual([undefined, undefined]);
    expect(pairsOf(await pairsFor([asItems({}), asItems({})]))).toEqual([undefined]);
  });
});

describe('the output of a node', () => {
  const bad: [string, unknown][] = [
    ['no array', { json: {} }],
    ['an output that is no array', [{ json: {} }]],
    ['an item without json', [[{ id: 1 }]]],
    ['json that is a value', [[{ json: 5 }]]],
    ['json that is no plain object', [[{ json: new Date() }]]],
  ];
  test('can be a list instead of an object, as in older nodes', async () => {
    const engine = testEngine();
    engine.types.set(
      'base.list',
      testType('list', () => [[{ json: [1, 2] as never }]]),
    );
    expect((await run({ type: 'list' }, 'manual', engine)).json('X')).toEqual([[1, 2]]);
  });

  test.each(bad)('is rejected, naming the node, when it is %s', async (_, output) => {
    const engine = testEngine();
    engine.types.set(
      'base.odd',
      testType('odd', () => output as never),
    );
    const { outcome } = await run({ type: 'odd' }, 'manual', engine);
    expect(outcome).toMatchObject({
      status: 'error',
      error: { code: 'INVALID_NODE_OUTPUT', node: 'X', message: expect.stringMatching(/"X"/) },
    });
  });

  test.each(['abc', -1, 1.5, true, {}, { item: 'a' }, { item: 0, input: '1' }, [0, null], [[0]]])(
    'is rejected if an item is paired with %j',
    async (pairedItem) => {
      const engine = testEngine();
      engine.types.set(
        'base.odd',
        testType('odd', () => [[{ json: {}, pairedItem: pairedItem as never }]]),
      );
      const { outcome } = await run({ type: 'odd' }, 'manual', engine);
      expect(outcome).toMatchObject({
        error: { code: 'INVALID_NODE_OUTPUT', message: expect.stringContaining('item 0 of output 0 has a `pairedItem`') },
      });
    },
  );

  test.each([0, { item: 0 }, { item: 0, input: 0, run: 0 }, [{ item: 0 }, 0], null])(
    'can pair an item with %j',
    async (pairedItem) => {
      const engine = testEngine();
      engine.types.set(
        'base.odd',
        testType('odd', () => [[{ json: {}, pairedItem: pairedItem as never }]]),
      );
      expect((await run({ type: 'odd' }, 'manual', engine)).outcome.status).toBe('success');
    },
  );

  test('files stay with their items', async () => {
    const engine = testEngine();
    const binary = { data: { id: 'f1', mimeType: 'text/plain' } };
    engine.types.set(
      'base.file',
      testType('file', () => [[{ json: {}, binary }]]),
    );
    const graph = graphOf(['F -> P', 'P -> X'], { F: { type: 'file' }, P: { type: 'pass' }, X: { disabled: true } });
    const { runData } = await runGraph(graph, {}, engine);
    expect(runData['X']?.[0]?.data?.['main']?.[0]?.[0]).toEqual({ json: {}, binary, pairedItem: { item: 0 } });
  });
});
