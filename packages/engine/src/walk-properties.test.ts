import { describe, expect, test } from '@jest/globals';
import type { NodeRunRecord, WorkflowGraph } from '@sluice/domain';
import fc from 'fast-check';
import { expectedRuns, type ModelGraph } from './testing/reference-model.ts';
import { connectionsOf, runGraph, testEngine } from './testing/run-graph.ts';
import { asItems, testType } from './testing/test-nodes.ts';

/*
 * Random graphs (branches, fan-in, merges, loops), run by the engine and by a model that is written to be plainly right. Each node
 * fires an output in a pattern of its own, and stops firing after a few runs, so that every loop ends.
 */
const seed = 20_260_115;
const numRuns = 300;
const maxRuns = 3;

const nodeCount = fc.integer({ min: 1, max: 8 });
const graphs: fc.Arbitrary<ModelGraph> = nodeCount.chain((count) =>
  fc.record({
    order: fc.constantFrom('v0' as const, 'v1' as const),
    nodes: fc.array(
      fc.record({
        x: fc.nat(2),
        y: fc.nat(2),
        fires: fc.array(fc.tuple(fc.boolean(), fc.boolean()), { minLength: maxRuns, maxLength: maxRuns }),
      }),
      { minLength: count, maxLength: count },
    ),
    edges: fc.array(fc.record({ from: fc.nat(count - 1), output: fc.nat(1), to: fc.nat(count - 1), input: fc.nat(1) }), {
      maxLength: 14,
    }),
  }),
);

/** Fires the outputs that its run index has in the pattern; each item says by which run of which node it was made. */
function engineWithFiringNode() {
  const engine = testEngine();
  engine.types.set(
    'base.fire',
    testType(
      'fire',
      (context) => {
        const fires = context.parameter<boolean[][]>('fires', 0)[context.runIndex] ?? [];
        const made = Array.from({ length: context.inputCount }, (_, input) =>
          context.items(input).map(({ json }) => json['by'] ?? 'start'),
        );
        const by = `${context.node.name}.${context.runIndex}(${made.map((names) => names.join()).join('|')})`;
        return fires.map((fired) => (fired ? asItems({ by }) : []));
      },
      { outputs: 2, inputs: 2 },
    ),
  );
  return engine;
}

function toWorkflow({ order, nodes, edges }: ModelGraph): WorkflowGraph {
  const name = (index: number) => `N${index}`;
  return {
    name: 'random',
    nodes: nodes.map(({ x, y, fires }, i) => ({ name: name(i), type: 'base.fire', position: [x, y], parameters: { fires } })),
    connections: connectionsOf(edges.map(({ from, output, to, input }) => ({ from: name(from), output, to: name(to), input }))),
    settings: { executionOrder: order },
  };
}

const check = (property: (graph: ModelGraph) => Promise<void>) =>
  fc.assert(fc.asyncProperty(graphs, property), { seed, numRuns });

const start = { start: { startNodes: ['N0'] } };
const run = (graph: WorkflowGraph, done: readonly NodeRunRecord[] = []) =>
  runGraph(graph, { ...start, done }, engineWithFiringNode());
const withoutTimes = (records: readonly NodeRunRecord[]) =>
  records.map((record) => ({ ...record, run: { ...record.run, startTime: 0, executionTime: 0 } }));

describe('on any graph', () => {
  test('nodes run as often, in the order and on the items that the model says', () =>
    check(async (graph) => {
      const { records, outcome } = await run(toWorkflow(graph));
      expect(outcome.status).toBe('success');
      expect(records.map(({ nodeName, runIndex, run: { source } }) => ({ nodeName, runIndex, source }))).toEqual(
        expectedRuns(graph),
      );
    }));

  test('the runs of a node are counted from 0 without a gap', () =>
    check(async (graph) => {
      const { records } = await run(toWorkflow(graph));
      const counts = new Map<string, number>();
      for (const { nodeName, runIndex } of records) {
        expect(runIndex).toBe(counts.get(nodeName) ?? 0);
        counts.set(nodeName, runIndex + 1);
      }
    }));

  test('a run with all its records replays without executing anything', () =>
    check(async (graph) => {
      const workflow = toWorkflow(graph);
      const first = await run(workflow);
      const again = await run(workflow, first.records);
      expect(again.records).toEqual([]);
      expect(again.outcome).toEqual(first.outcome);
    }));

  test('a run that goes on from any prefix of its records ends with the same data', () =>
    fc.assert(
      fc.asyncProperty(graphs, fc.double({ min: 0, max: 1, noNaN: true }), async (graph, part) => {
        const workflow = toWorkflow(graph);
        const { records } = await run(workflow);
        const prefix = records.slice(0, Math.floor(records.length * part));
        const again = await run(workflow, prefix);
        expect(withoutTimes([...prefix, ...again.records])).toEqual(withoutTimes(records));
      }),
      { seed, numRuns },
    ));
});
