import { describe, expect, test } from '@jest/globals';
import { graphOf, runGraph } from '../testing/run-graph.ts';
import { asItems } from '../testing/test-nodes.ts';

const manual = { type: 'manual-trigger' };
const other = { type: 'other-trigger' };

function ranBefore(...json: Parameters<typeof asItems>) {
  return [
    { startTime: 0, executionTime: 0, executionStatus: 'success' as const, source: [], data: { main: [asItems(...json)] } },
  ];
}

describe('by default a run starts', () => {
  test('at the manual trigger, wherever it is in the array', async () => {
    const graph = graphOf(['O -> A', 'T -> B'], { O: other, T: manual });
    expect((await runGraph(graph)).order).toEqual(['T', 'B']);
  });

  test('at the first trigger when there is no manual trigger', async () => {
    const graph = graphOf(['A -> B', 'O -> C', 'O2 -> D'], { O: other, O2: other });
    expect((await runGraph(graph)).order).toEqual(['O', 'C']);
  });

  test('at an evaluation trigger only if there is no other trigger', async () => {
    const evaluation = { type: 'evaluation-trigger' };
    expect((await runGraph(graphOf(['E -> A', 'O -> B'], { E: evaluation, O: other }))).order).toEqual(['O', 'B']);
    expect((await runGraph(graphOf(['E -> A'], { E: evaluation }))).order).toEqual(['E', 'A']);
  });

  test('at a trigger of an unknown type, which then fails', async () => {
    const graph = graphOf(['A -> B', 'U -> C'], { U: { type: 'acme.rocketTrigger' } });
    expect((await runGraph(graph)).outcome).toMatchObject({ status: 'error', lastNodeExecuted: 'U' });
  });

  test('not at a disabled trigger if there is another', async () => {
    const graph = graphOf(['T -> A', 'O -> B'], { T: { ...manual, disabled: true }, O: other });
    expect((await runGraph(graph)).order).toEqual(['O', 'B']);
  });

  test('at all nodes without predecessors if there is no trigger, ignoring sticky notes', async () => {
    const graph = graphOf(['A -> B', 'C -> D'], { Note: { type: 'n8n-nodes-base.stickyNote' } });
    expect((await runGraph(graph)).order).toEqual(['A', 'B', 'C', 'D']);
  });

  test('at the first node of a loop without predecessors', async () => {
    const graph = graphOf(['A -> B', 'B -> A'], { B: { type: 'drop' } });
    expect((await runGraph(graph)).order).toEqual(['A', 'B']);
  });

  test('nowhere and succeeds if there is no node', async () => {
    expect(await runGraph(graphOf([]))).toMatchObject({ outcome: { status: 'success' }, order: [] });
  });
});

describe('destination', () => {
  const graph = graphOf(['T -> A', 'T -> B', 'A -> Dest', 'Dest -> After'], { T: manual });

  test('only nodes that lead to it run, and no node after it', async () => {
    expect((await runGraph(graph, { start: { destinationNode: 'Dest' } })).order).toEqual(['T', 'A', 'Dest']);
  });

  test('the start is chosen among the nodes that lead to it', async () => {
    const two = graphOf(['T -> A', 'O -> B'], { T: manual, O: other });
    expect((await runGraph(two, { start: { destinationNode: 'B' } })).order).toEqual(['O', 'B']);
  });

  test('it runs once in a loop', async () => {
    const loop = graphOf(['T -> A', 'A -> B', 'B -> A'], { T: manual });
    expect((await runGraph(loop, { start: { destinationNode: 'A' } })).order).toEqual(['T', 'A']);
  });

  test('a missing destination is an error', async () => {
    const { outcome } = await runGraph(graph, { start: { destinationNode: 'Nope' } });
    expect(outcome).toMatchObject({
      status: 'error',
      error: { code: 'INVALID_START', message: expect.stringMatching(/"Nope" does not exist/) },
    });
  });
});

describe('start nodes', () => {
  const graph = graphOf(['T -> A', 'A -> B', 'B -> C'], { T: manual });

  test('get their items from the earlier output of their predecessors', async () => {
    const { order, json, runData } = await runGraph(graph, {
      start: { startNodes: ['B'], runData: { A: ranBefore({ x: 1 }) } },
    });
    expect(order).toEqual(['B', 'C']);
    expect(json('C')).toEqual([{ x: 1, via: ['B', 'C'] }]);
    expect(runData['B']?.[0]?.source).toEqual([{ previousNode: 'A' }]);
  });

  test('start with one empty item if there is no earlier output', async () => {
    const { order, json } = await runGraph(graph, { start: { startNodes: ['B'] } });
    expect(order).toEqual(['B', 'C']);
    expect(json('B')).toEqual([{ via: ['B'] }]);
  });

  test('run only if they lead to the destination', async () => {
    const { order } = await runGraph(graph, { start: { startNodes: ['A'], destinationNode: 'B' } });
    expect(order).toEqual(['A', 'B']);
  });

  test('that do not lead to the destination are an error', async () => {
    const { outcome } = await runGraph(graph, { start: { startNodes: ['C'], destinationNode: 'B' } });
    expect(outcome).toMatchObject({ status: 'error', error: { code: 'INVALID_START' } });
  });

  test('get the inputs that the run cannot provide from earlier runs, which expressions can read', async () => {
    const merging = graphOf(['T -> A', 'T -> B', 'A -> M:0', 'B -> M:1', 'M -> End'], {
      T: manual,
      M: { type: 'append' },
      End: { parameters: { tag: '={{ $("T").item.json.id }}' } },
    });
    const fromT = [{ previousNode: 'T' }];
    const runData = {
      T: ranBefore({ id: 't' }),
      B: ranBefore({ x: 'b' }).map((run) => ({
        ...run,
        source: fromT,
        data: { main: [[{ json: { x: 'b' }, pairedItem: 0 }]] },
      })),
    };
    const { order, json } = await runGraph(merging, { start: { startNodes: ['A'], runData } });
    expect(order).toEqual(['A', 'M', 'End']);
    expect(json('End')).toEqual([
      { id: 't', via: ['A', 't'] },
      { x: 'b', via: ['t'] },
    ]);
  });

  test.each([
    ['provide an input that the run leaves empty, even if the run leads there', false, ['A', 'T']],
    ['do not provide an input that the run provides', true, ['T']],
  ])('earlier runs %s', async (_, value, from) => {
    const merging = graphOf(['T -> A', 'T -> R', 'A -> M:0', 'R:0 -> M:0', 'R:1 -> M:1'], {
      T: manual,
      R: { type: 'route', parameters: { value } },
      M: { type: 'append' },
    });
    const runData = { T: ranBefore({ x: 'T' }), A: ranBefore({ x: 'A' }) };
    const { order, json } = await runGraph(merging, { start: { startNodes: ['R'], runData } });
    expect(order).toEqual(['R', 'M']);
    expect(json('M').map(({ x }) => x)).toEqual(from);
  });

  test('run data without items is an error, not a crash', async () => {
    const runData = { A: ranBefore().map((run) => ({ ...run, data: { main: [[42 as never]] } })) };
    const { outcome } = await runGraph(graph, { start: { startNodes: ['B'], runData } });
    expect(outcome).toMatchObject({ status: 'error', error: { code: 'INVALID_NODE_OUTPUT' } });
  });
});
