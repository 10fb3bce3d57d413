import { describe, expect, test } from '@jest/globals';
import type { NodeRunRecord, WorkflowGraph } from '@sluice/domain';
import fc from 'fast-check';
import { expectedRuns, type ModelFiring, type ModelGraph } from './testing/reference-model.ts';
import { connectionsOf, runGraph, testEngine } from './testing/run-graph.ts';
import { asItems, testType } from './testing/test-nodes.ts';

/*
 * Runs random graphs (branches, fan-in, merges, loops, error outputs) from one or several nodes to
 * their end or to a destination. The engine and a deliberately simple model must agree. Each node
 * uses outputs in its own pattern and stops after a few runs, so that every loop ends. Some nodes
 * fail in their first try and are retried, which must not change the result.
 */
const seed = 20_260_115;
const numRuns = 400;
const maxRuns = 3;

interface TestedGraph extends ModelGraph {
  /** Nodes that fail in the first try of every run. */
  flaky: number[];
}

const nodeCount = fc.integer({ min: 1, max: 8 });
const firing = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(fc.boolean(), fc.boolean()) },
  { weight: 1, arbitrary: fc.constant('fails' as const) },
);
const graphs: fc.Arbitrary<TestedGraph> = nodeCount.chain((count) => {
  const node = fc.nat(count - 1);
  return fc.record({
    order: fc.constantFrom('v0' as const, 'v1' as const),
    starts: fc.oneof(
      { weight: 3, arbitrary: fc.constant<number[]>([0]) },
      { weight: 1, arbitrary: fc.array(node, { minLength: 1, maxLength: 3 }) },
    ),
    nodes: fc.array(
      fc.record({ x: fc.nat(2), y: fc.nat(2), fires: fc.array(firing, { minLength: maxRuns, maxLength: maxRuns }) }),
      { minLength: count, maxLength: count },
    ),
    edges: fc.array(fc.record({ from: node, output: fc.nat(2), to: node, input: fc.nat(1) }), { maxLength: 14 }),
    flaky: fc.array(node, { maxLength: 2 }),
  });
});

/**
 * Emits items on the outputs of the pattern at its run index. Each item records the node run that
 * created it.
 */
function engineWithFiringNode() {
  const engine = testEngine();
  const tries = new Map<string, number>();
  engine.types.set(
    'base.fire',
    testType(
      'fire',
      (context) => {
        const place = `${context.node.name}.${context.runIndex}`;
        const tried = (tries.get(place) ?? 0) + 1;
        tries.set(place, tried);
        const fires = context.parameter<ModelFiring[]>('fires', 0)[context.runIndex] ?? [];
        if (fires === 'fails' || (context.node.retryOnFail && tried === 1)) throw new Error('fails');
        const inputNames = Array.from({ length: context.inputCount }, (_, input) =>
          context.items(input).map(({ json }) => json['by'] ?? 'start'),
        );
        const by = `${place}(${inputNames.map((names) => names.join()).join('|')})`;
        return fires.map((fired) => (fired ? asItems({ by }) : []));
      },
      { outputs: 2, inputs: 2 },
    ),
  );
  return engine;
}

const nameOf = (index: number) => `N${index}`;

function toWorkflow({ order, nodes, edges, flaky }: TestedGraph): WorkflowGraph {
  return {
    name: 'random',
    nodes: nodes.map(({ x, y, fires }, i) => ({
      name: nameOf(i),
      type: 'base.fire',
      position: [x, y],
      parameters: { fires },
      onError: 'continueErrorOutput',
      ...(flaky.includes(i) && { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 }),
    })),
    connections: connectionsOf(
      edges.map(({ from, output, to, input }) => ({ from: nameOf(from), output, to: nameOf(to), input })),
    ),
    settings: { executionOrder: order },
  };
}

const check = (property: (graph: TestedGraph) => Promise<void>) =>
  fc.assert(fc.asyncProperty(graphs, property), { seed, numRuns });

const run = (graph: TestedGraph, done: readonly NodeRunRecord[] = []) => {
  const { starts, destination } = graph;
  const start = { startNodes: starts.map(nameOf), ...(destination !== undefined && { destinationNode: nameOf(destination) }) };
  return runGraph(toWorkflow(graph), { start, done }, engineWithFiringNode());
};
const withoutTimes = (records: readonly NodeRunRecord[]) =>
  records.map((record) => ({ ...record, run: { ...record.run, startTime: 0, executionTime: 0, metadata: undefined } }));
const walked = (records: readonly NodeRunRecord[]) =>
  records.map(({ nodeName, runIndex, run: { source } }) => ({ nodeName, runIndex, source }));

/** The starts that lead to the destination, or the destination itself if no start does. */
function startsBefore({ starts, edges }: ModelGraph, destination: number): number[] {
  const before = new Set([destination]);
  for (let size = 0; size < before.size; ) {
    size = before.size;
    for (const { from, to } of edges) if (before.has(to)) before.add(from);
  }
  const leading = starts.filter((start) => before.has(start));
  return leading.length > 0 ? leading : [destination];
}

function withoutLoops<T extends ModelGraph>(graph: T): T {
  return { ...graph, edges: graph.edges.filter(({ from, to }) => from < to) };
}

describe('on any graph', () => {
  test('nodes run as often, in the order, and with the items that the model predicts', () =>
    check(async (graph) => {
      const { records, outcome } = await run(graph);
      expect(outcome.status).toBe('success');
      expect(walked(records)).toEqual(expectedRuns(graph));
    }));

  test('the same applies up to a destination, and nothing after it runs', () =>
    fc.assert(
      fc.asyncProperty(graphs, fc.nat(), async (anyGraph, at) => {
        const destination = at % anyGraph.nodes.length;
        const graph = { ...anyGraph, destination, starts: startsBefore(anyGraph, destination) };
        const { records } = await run(graph);
        expect(walked(records)).toEqual(expectedRuns(graph));
      }),
      { seed, numRuns },
    ));

  test('a partial run with the data of a full run produces the same output', () =>
    fc.assert(
      fc.asyncProperty(graphs, fc.nat(), async (anyGraph, at) => {
        const graph = { ...withoutLoops(anyGraph), order: 'v1' as const };
        const uninterrupted = await run(graph);
        const from = uninterrupted.order[at % uninterrupted.order.length] as string;
        const workflow = toWorkflow(graph);
        const { runData } = uninterrupted;
        const part = await runGraph(workflow, { start: { startNodes: [from], runData } }, engineWithFiringNode());
        const ranOnce = part.order.filter((name) => runData[name]?.length === 1);
        // A node that ran several times in the full run provides only its last run, so only nodes
        // with a single run are comparable.
        if (ranOnce.length < part.order.length || Object.values(runData).some((runs) => runs.length > 1)) return;
        for (const name of part.order) expect(part.json(name)).toEqual(uninterrupted.json(name));
      }),
      { seed, numRuns },
    ));

  test('the runs of a node are numbered from 0 without gaps', () =>
    check(async (graph) => {
      const { records } = await run(graph);
      const counts = new Map<string, number>();
      for (const { nodeName, runIndex } of records) {
        expect(runIndex).toBe(counts.get(nodeName) ?? 0);
        counts.set(nodeName, runIndex + 1);
      }
    }));

  test('a run with all its records is replayed without executing anything', () =>
    check(async (graph) => {
      const first = await run(graph);
      const again = await run(graph, first.records);
      expect(again.records).toEqual([]);
      expect(again.outcome).toEqual(first.outcome);
    }));

  test('a run that resumes from any prefix of its records ends with the same data', () =>
    fc.assert(
      fc.asyncProperty(graphs, fc.double({ min: 0, max: 1, noNaN: true }), async (graph, part) => {
        const { records } = await run(graph);
        const prefix = records.slice(0, Math.floor(records.length * part));
        const again = await run(graph, prefix);
        expect(withoutTimes([...prefix, ...again.records])).toEqual(withoutTimes(records));
      }),
      { seed, numRuns },
    ));
});
