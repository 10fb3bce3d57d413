import { describe, expect, test } from '@jest/globals';
import { graphOf, runGraph, testEngine } from '../testing/run-graph.ts';
import { asItems, testType } from '../testing/test-nodes.ts';

const trigger = { type: 'manual-trigger' };
const ofEmit = { parameters: { tag: '={{ $("E").item.json.n }}' } };

describe('$("E").item', () => {
  test('is the origin of the item, through several nodes, a filter, and a node that passes items through', async () => {
    const graph = graphOf(['T -> E', 'E -> P', 'P -> R', 'R:1 -> P2', 'P2 -> End'], {
      T: trigger,
      E: { type: 'emit', parameters: { count: 3 } },
      P: { type: 'pass' },
      R: { type: 'route', parameters: { value: '={{ $json.n }}' } },
      P2: { type: 'pass' },
      End: ofEmit,
    });
    expect((await runGraph(graph)).json('End')).toEqual([{ n: 0, via: [0] }]);
  });

  test('is found through the merge input at which the item arrived', async () => {
    const graph = graphOf(['T -> E', 'T -> A', 'A -> M:0', 'E -> M:1', 'M -> R', 'R:1 -> End'], {
      T: trigger,
      E: { type: 'emit' },
      M: { type: 'append' },
      R: { type: 'route', parameters: { value: '={{ $json.via }}' } },
      End: ofEmit,
    });
    expect((await runGraph(graph)).json('End')).toEqual([{ n: 0, via: [0] }]);
  });

  test('is the item of the same iteration in a loop', async () => {
    const graph = graphOf(['T -> L', 'L:1 -> E', 'E -> End', 'End -> L'], {
      T: trigger,
      L: { type: 'loop', parameters: { rounds: 2 } },
      E: { parameters: { tag: '={{ $json.round }}' } },
      End: { parameters: { tag: '={{ $("E").item.json.via }}' } },
    });
    const { json } = await runGraph(graph);
    expect(json('End', 1)[0]?.['via']).toHaveLength(4);
  });
});

describe('is undefined, so that a default applies, for an item that bypassed the node', () => {
  const nodes = { T: trigger, R: { type: 'route', parameters: { value: '={{ $json.id }}' } }, End: ofEmit };
  const pinData = { T: asItems({ id: 1, n: 'yes' }, { id: 0, n: 'no' }) };

  test('where the branches of an If join', async () => {
    const graph = graphOf(['T -> R', 'R:0 -> E', 'E -> End', 'R:1 -> End'], nodes, { pinData });
    const { json } = await runGraph(graph);
    expect([json('End', 0), json('End', 1)].flat().map(({ via }) => via)).toEqual([['E', 'yes'], ['End']]);
  });

  test('where the branches join in a merge', async () => {
    const edges = ['T -> R', 'R:0 -> E', 'E -> M:0', 'R:1 -> M:1', 'M -> End'];
    const { json } = await runGraph(graphOf(edges, { ...nodes, M: { type: 'append' } }, { pinData }));
    expect(json('End').map(({ via }) => via)).toEqual([['E', 'yes'], ['End']]);
  });
});

describe('is missing, with the reason in the message, when', () => {
  async function messageFor(middle: () => ReturnType<typeof asItems>, edges = ['T -> E', 'E -> X', 'X -> End']) {
    const engine = testEngine();
    engine.types.set(
      'base.middle',
      testType('middle', () => [middle()]),
    );
    const graph = graphOf(edges, {
      T: trigger,
      E: { type: 'emit', parameters: { count: 3 } },
      X: { type: 'middle' },
      End: ofEmit,
    });
    const { outcome } = await runGraph(graph, {}, engine);
    return outcome.status === 'error' ? outcome.error.message : outcome.status;
  }

  test('a node on the path did not pair its items', async () => {
    expect(await messageFor(() => asItems({}, {}))).toContain('node "X" did not record');
  });

  test('a node on the path paired its items with an item that does not exist', async () => {
    expect(await messageFor(() => [{ json: {}, pairedItem: 7 }])).toContain('did not contribute');
  });

  test('the item was created from several items', async () => {
    expect(await messageFor(() => [{ json: {}, pairedItem: [{ item: 0 }, { item: 1 }] }])).toContain('Multiple matches found');
  });

  test('the node has not run', async () => {
    expect(await messageFor(() => asItems({}), ['T -> X', 'X -> End'])).toContain('node "E" has not run');
  });

  test('the node is on another branch', async () => {
    expect(await messageFor(() => asItems({}), ['T -> E', 'T -> X', 'X -> End'])).toContain('did not contribute');
  });
});

test('an item created from any number of items can be traced', async () => {
  const pairedItem = Array.from({ length: 200_000 }, () => ({ item: 0 }));
  const engine = testEngine();
  engine.types.set(
    'base.gather',
    testType('gather', () => [[{ json: {}, pairedItem }]]),
  );
  const graph = graphOf(['T -> E', 'E -> X', 'X -> End'], {
    T: trigger,
    E: { type: 'emit' },
    X: { type: 'gather' },
    End: ofEmit,
  });
  expect((await runGraph(graph, {}, engine)).json('End')).toEqual([{ via: [0] }]);
});

test('a source that refers to itself in run data from a client does not cause an endless loop', async () => {
  const run = {
    startTime: 0,
    executionTime: 0,
    executionStatus: 'success' as const,
    source: [{ previousNode: 'A' }],
    data: { main: [[{ json: {}, pairedItem: 0 }]] },
  };
  const graph = graphOf(['E -> A', 'A -> End'], { E: { type: 'emit' }, End: ofEmit });
  const runData = { A: [run], E: [{ ...run, source: [] }] };
  const { json } = await runGraph(graph, { start: { startNodes: ['End'], runData } });
  expect(json('End')).toEqual([{ via: ['End'] }]);
});
