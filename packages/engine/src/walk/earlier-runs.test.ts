import { describe, expect, jest, test } from '@jest/globals';
import { GraphIndex, type NodeRun, type WorkflowGraph } from '@sluice/domain';
import { NodeInputs } from '../node/node-inputs.ts';
import { graphOf, runGraph, testEngine } from '../testing/run-graph.ts';
import { asItems, testType } from '../testing/test-nodes.ts';
import { linkEarlierRuns } from './earlier-runs.ts';

const trigger = { type: 'manual-trigger' };
const ofEmit = { parameters: { tag: '={{ $("E").item.json.n }}' } };

/**
 * Output of `End` when it runs alone with the run data of a full run that `change` has modified.
 */
async function endAgain(graph: WorkflowGraph, change: (run: NodeRun, name: string) => NodeRun = (run) => run) {
  const full = await runGraph(graph);
  const recorded = Object.fromEntries(
    Object.entries(full.runData).map(([name, runs]) => [name, runs.map((run) => change(run, name))]),
  );
  const again = await runGraph(graph, { start: { startNodes: ['End'], runData: recorded } });
  return { full: full.json('End'), again: again.json('End'), outcome: again.outcome };
}

const withoutSources = (run: NodeRun): NodeRun => ({ ...run, source: [] });
const itemsAlone = (run: NodeRun): NodeRun => ({
  ...withoutSources(run),
  data: { main: (run.data?.['main'] ?? []).map((items) => items?.map(({ json }) => ({ json })) ?? null) },
});

const chain = graphOf(['T -> E', 'E -> N', 'N -> P', 'P -> End'], {
  T: trigger,
  E: { type: 'emit', parameters: { count: 2 } },
  P: { type: 'pass' },
  End: ofEmit,
});
const merge = graphOf(['T -> E', 'T -> A', 'A -> M:0', 'E -> M:1', 'M -> R', 'R:1 -> End'], {
  T: trigger,
  E: { type: 'emit' },
  M: { type: 'append' },
  R: { type: 'route', parameters: { value: '={{ $json.via }}' } },
  End: ofEmit,
});
const mergeBefore = graphOf(['T -> E', 'E -> A', 'A -> M:0', 'E -> M:1', 'M -> End'], {
  T: trigger,
  E: { type: 'emit' },
  M: { type: 'append' },
  End: ofEmit,
});

describe('a run that continues an earlier run pairs items as that run did', () => {
  test.each([
    ['across several nodes', chain],
    ['through a merge', merge],
    ['through a merge directly before', mergeBefore],
  ])('%s, with the same output', async (_, graph) => {
    const { full, again } = await endAgain(graph);
    expect(full.length).toBeGreaterThan(0);
    expect(again).toEqual(full);
  });

  test.each([
    ['sources', chain, withoutSources],
    ['sources, through a merge', merge, withoutSources],
    ['valid sources', chain, (run: NodeRun) => ({ ...run, source: [{ previousNode: 'E', previousNodeRun: 7 }] })],
    ['anything except items', chain, itemsAlone],
  ])('based on connections, without %s', async (_, graph, change) => {
    const { full, again } = await endAgain(graph, change);
    expect(again).toEqual(full);
  });

  test('without pairing if the connections are ambiguous', async () => {
    const graph = graphOf(['T -> E', 'E -> A', 'E -> B', 'A -> N', 'B -> N', 'N -> End'], {
      T: trigger,
      E: { type: 'emit' },
      End: ofEmit,
    });
    expect((await endAgain(graph)).outcome.status).toBe('success');
    expect((await endAgain(graph, withoutSources)).outcome).toMatchObject({
      status: 'error',
      error: { message: expect.stringContaining('did not contribute') },
    });
  });

  test('without copying items, because many runs may share a million input items', async () => {
    const items = (count: number) => Array.from({ length: count }, () => ({ json: {} }));
    const run = (source: NodeRun['source'], count: number): NodeRun => {
      return { startTime: 0, executionTime: 0, executionStatus: 'success', source, data: { main: [items(count)] } };
    };
    const ofE = [{ previousNode: 'E' }];
    const runData = { E: [run([], 30_000)], N: [run(ofE, 1), run(ofE, 30_000)] };
    const copies = [jest.spyOn(NodeInputs.prototype, 'allItems'), jest.spyOn(NodeInputs.prototype, 'prepare')];
    const linked = await linkEarlierRuns(new GraphIndex(chain), runData, () => true);
    expect(linked.get('N')?.map(({ outputs }) => outputs[0]?.at(-1)?.pairedItem)).toEqual([{ item: 0 }, { item: 29_999 }]);
    for (const copy of copies) expect(copy).not.toHaveBeenCalled();
    jest.restoreAllMocks();
  });

  test('with an empty input if it has no source but another input has one', async () => {
    const half = (run: NodeRun, name: string): NodeRun =>
      name === 'M' ? { ...run, source: [null, run.source[1] ?? null] } : run;
    const { again, outcome } = await endAgain(merge, half);
    expect(outcome.status).toBe('success');
    expect(again).toHaveLength(1);
  });

  test('iteration by iteration in a finished loop', async () => {
    const graph = graphOf(['T -> L', 'L:1 -> E', 'E -> N', 'N -> L', 'L:0 -> End'], {
      T: trigger,
      L: { type: 'loop', parameters: { rounds: 2 } },
      End: { parameters: { tag: '={{ $("E").item.json.via }}' } },
    });
    const { full, again } = await endAgain(graph);
    expect(again).toEqual(full);
  });
});

/** Captures the data of node `K` that is visible to code in the node `End`. */
function seeingEngine() {
  const engine = testEngine();
  engine.sandbox.runCodeWith = async ({ scope }) => ({
    items: [{ json: { runs: scope.runsOf('K')?.length ?? 0, kept: scope.contextOf('K')?.['kept'] ?? 0 } }],
    logs: [],
  });
  const keep = testType('keep', (context) => {
    context.setNodeContext({ kept: Number(context.nodeContext?.['kept'] ?? 0) + 1 });
    return [asItems({})];
  });
  engine.types.set('base.keep', keep);
  return engine;
}

const keepingGraph = graphOf(['T -> K', 'K -> End'], { T: trigger, K: { type: 'keep' }, End: { type: 'code' } });

test('a failed earlier run is ignored: its node counts as not run and provides no input', async () => {
  const { runData } = await runGraph(keepingGraph, {}, seeingEngine());
  const recorded = { ...runData, K: (runData['K'] ?? []).map((run) => ({ ...run, executionStatus: 'error' as const })) };
  const again = await runGraph(keepingGraph, { start: { startNodes: ['End'], runData: recorded } }, seeingEngine());
  expect(again.json('End')).toEqual([{ runs: 0, kept: 0 }]);
  expect(again.runData['End']?.[0]?.source).toEqual([]);
});

describe('context data of an earlier run', () => {
  test.each([
    ['is visible to later nodes', 'End'],
    ['is discarded when the node itself runs again', 'K'],
  ])('%s', async (_, start) => {
    const { runData } = await runGraph(keepingGraph, {}, seeingEngine());
    const again = await runGraph(keepingGraph, { start: { startNodes: [start], runData } }, seeingEngine());
    expect(again.json('End')).toEqual([{ runs: 1, kept: 1 }]);
  });
});
