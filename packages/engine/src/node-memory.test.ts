import { describe, expect, test } from '@jest/globals';
import type { ExecuteContext } from '@sluice/node-sdk';
import { graphOf, runGraph, testEngine } from './testing/run-graph.ts';
import { asItems, testType } from './testing/test-nodes.ts';

const pinned = { T: asItems({ n: 0 }, { n: 1 }, { n: 2 }) };

/** Emits the items of its first run one by one on output 1, without storing them. */
const oneByOne = (context: ExecuteContext) => {
  const position = Number(context.nodeContext?.['taken'] ?? 0);
  const item = (context.runIndex === 0 ? context.items() : context.itemsOfRun(0))[position];
  context.setNodeContext({ taken: position + 1 });
  return item ? [[], [{ ...item, pairedItem: { item: position, run: 0 } }]] : [[...context.items()], []];
};

function looping(loop: typeof oneByOne = oneByOne) {
  const engine = testEngine();
  engine.types.set('base.one-by-one', testType('one-by-one', loop, { outputs: 2 }));
  const graph = graphOf(
    ['T -> L', 'L:1 -> Body', 'Body -> L', 'L:0 -> End'],
    { T: { type: 'manual-trigger' }, L: { type: 'one-by-one' }, Body: { parameters: { tag: '={{ $("T").item.json.n }}' } } },
    { pinData: pinned },
  );
  return { engine, graph };
}

describe('data that a node keeps between its runs', () => {
  test('is passed to its next run and recorded with each run', async () => {
    const { engine, graph } = looping();
    const { runData } = await runGraph(graph, {}, engine);
    expect(runData['L']?.map(({ contextAfter }) => contextAfter)).toEqual([
      { taken: 1 },
      { taken: 2 },
      { taken: 3 },
      { taken: 4 },
    ]);
  });

  test('items of an earlier run are paired with their origin', async () => {
    const { engine, graph } = looping();
    const { json } = await runGraph(graph, {}, engine);
    expect([0, 1, 2].map((run) => json('Body', run)[0]?.['via'])).toEqual([[0], [1], [2]]);
  });

  test.each([1, 3, 6])('is restored when %i records are replayed', async (count) => {
    const { engine, graph } = looping();
    const uninterrupted = await runGraph(graph, {}, engine);
    const rest = await runGraph(graph, { done: uninterrupted.records.slice(0, count) }, engine);
    expect(rest.records.map(({ nodeName, run }) => [nodeName, run.data, run.contextAfter])).toEqual(
      uninterrupted.records.slice(count).map(({ nodeName, run }) => [nodeName, run.data, run.contextAfter]),
    );
  });

  test('is not changed by a failed run', async () => {
    const { engine, graph } = looping((context) => {
      context.setNodeContext({ taken: 99 });
      throw new Error('no');
    });
    const [, loop] = graph.nodes;
    if (loop) loop.onError = 'continueRegularOutput';
    const { runData } = await runGraph(graph, {}, engine);
    expect(runData['L']?.[0]).not.toHaveProperty('contextAfter');
  });
});

describe('outputs that depend on parameters', () => {
  const route = testType(
    'route-n',
    (context) => [[], [], context.items().map((item, index) => ({ ...item, pairedItem: { item: index } }))],
    { outputs: 1 },
  );

  test('precede the error output, which receives no items of outputs that do not exist', async () => {
    const engine = testEngine();
    engine.types.set('base.route-n', { ...route, outputs: ({ count }) => Array(Number(count)).fill('main') });
    const run = (count: number) =>
      runGraph(
        graphOf(
          ['T -> X', 'X:2 -> Errors', 'X:3 -> Past'],
          { T: { type: 'manual-trigger' }, X: { type: 'route-n', parameters: { count }, onError: 'continueErrorOutput' } },
          { pinData: pinned },
        ),
        {},
        engine,
      );
    expect((await run(3)).order).toEqual(['T', 'X', 'Errors']);
    expect((await run(2)).order).toEqual(['T', 'X']);
  });
});

test('a template is resolved without a leading "="', async () => {
  const engine = testEngine();
  engine.types.set('base.page', {
    description: {
      ...testType('page', () => []).description,
      properties: [{ displayName: 'Page', name: 'page', type: 'string', default: '', isTemplate: true }],
    },
    execute: (context) => [asItems({ page: context.parameter('page', 0), other: context.parameter('other', 0) })],
  });
  const parameters = { page: '{{ $json.n }}', other: '{{ $json.n }}' };
  const graph = graphOf(['T -> P'], { T: { type: 'manual-trigger' }, P: { type: 'page', parameters } }, { pinData: pinned });
  expect((await runGraph(graph, {}, engine)).json('P')).toEqual([{ page: 0, other: '{{ $json.n }}' }]);
});
