import { expect, test } from '@jest/globals';
import type { Connection, NodeRun, RunData, WorkflowGraph } from '@sluice/domain';
import { longestBusy } from '@sluice/test-support';
import type { RunRequest } from './ports.ts';
import { graphOf, runGraph, testEngine } from './testing/run-graph.ts';
import { type PreviewRequest, previewParameters } from './triggers/preview-parameters.ts';

/** Maximum CPU time in milliseconds for which the event loop may be blocked. */
const maxStallMs = 250;

const target = (node: string, index = 0): Connection => ({ node, type: 'main', index });
const targets = (count: number, of: (n: number) => Connection) => Array.from({ length: count }, (_, n) => of(n));
const success = (...main: number[]): NodeRun => ({
  startTime: 0,
  executionTime: 0,
  executionStatus: 'success',
  source: [],
  data: { main: main.map((count) => Array.from({ length: count }, () => ({ json: {} }))) },
});

/** A graph with the maximum number of nodes and connections of a workflow. */
function largest(): WorkflowGraph {
  const names = Array.from({ length: 5_000 }, (_, n) => `N${n}`);
  const nodes = Object.fromEntries(names.map((name) => [name, { type: 'pass' }]));
  const connections = names.map((name, n): [string, Record<string, Connection[][]>] => {
    const next = targets(18, (k) => target(names[(n * 7 + k * 13 + k * k + 1) % names.length] as string));
    return [name, { main: [next] }];
  });
  return graphOf([], nodes, { connections: Object.fromEntries(connections) });
}

function graphWith(connections: WorkflowGraph['connections']): WorkflowGraph {
  return graphOf([], { A: { type: 'pass' }, E: { type: 'pass' }, B: { type: 'pass' }, Z: { type: 'pass' } }, { connections });
}

const runs = (count: number, ...main: number[]) => Array.from({ length: count }, () => success(...main));
const partial = (runData: RunData): Partial<RunRequest> => ({ start: { startNodes: ['E'], runData } });

const cases: [string, WorkflowGraph, Partial<RunRequest>?][] = [
  ['5,000 nodes with 90,000 connections', largest(), { maxNodeRuns: 1 }],
  [
    '95,000 connections to one input far to the right',
    graphWith({ A: { main: [targets(95_000, () => target('Z', 999))] } }),
    { start: { startNodes: ['A'] }, maxNodeRuns: 1 },
  ],
  [
    '95,000 connections to 1,000 inputs of a node that a client says has run',
    graphWith({ A: { main: [targets(95_000, (n) => target('Z', n % 1_000))] }, Z: { main: [[target('E')]] } }),
    partial({ A: runs(1, 1), Z: runs(1, 1) }),
  ],
  [
    '20,000 runs that a client says a node with 1,000 inputs had',
    graphWith({ A: { main: [[target('Z', 999)]] }, Z: { main: [[target('E')]] } }),
    partial({ A: runs(20_000, 1), Z: runs(20_000, 1) }),
  ],
  [
    '90,000 connections from an output that 20,000 runs gave nothing to',
    graphWith({ A: { main: [[], targets(90_000, () => target('E'))] }, B: { main: [[target('E')]] } }),
    partial({ A: runs(20_000, 1), B: runs(1, 1) }),
  ],
];

test.each(cases)('a run never blocks the event loop with %s', async (_, graph, request) => {
  expect(await longestBusy(() => runGraph(graph, request))).toBeLessThan(maxStallMs);
});

const previewOf = (graph: WorkflowGraph, runData: RunData): PreviewRequest => ({
  workflow: { id: 'w1', projectId: 'p1', active: false },
  graph,
  nodeName: 'E',
  runData,
  execution: { id: '1', mode: 'manual' },
  itemIndex: 0,
  timezone: 'UTC',
  vars: {},
  env: {},
  signal: new AbortController().signal,
});

test('a preview finds its inputs among many runs and connections without blocking the event loop', async () => {
  const graph = graphWith({ A: { main: [[], targets(90_000, () => target('E'))] }, B: { main: [[target('E')]] } });
  const request = previewOf(graph, { A: runs(20_000, 1), B: runs(1, 2) });
  let itemCount: number | undefined;
  const busy = await longestBusy(async () => ({ itemCount } = await previewParameters(testEngine(), request)));
  expect(busy).toBeLessThan(maxStallMs);
  expect(itemCount).toBe(2);
});

test('a preview finds the recorded inputs of a run with very many sources in linear time', async () => {
  const source = Array.from({ length: 200_000 }, (_, run) => ({ previousNode: 'A', previousNodeRun: 199_999 - run }));
  const request = previewOf(graphWith({}), { A: runs(200_000, 1), E: [{ ...success(1), source }] });
  expect((await previewParameters(testEngine(), request)).itemCount).toBe(1);
});

test('a preview rejects strings whose paths take more than a mebibyte', async () => {
  const preview = (texts: number) => {
    const parameters = { [`k${'x'.repeat(1_020)}`]: Array.from({ length: texts }, () => '=x') };
    return previewParameters(testEngine(), previewOf(graphOf([], { E: { type: 'pass', parameters } }), {}));
  };
  expect((await preview(1_000)).parameters).toHaveLength(1_000);
  await expect(preview(1_100)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
});
