import type {
  Connection,
  Connections,
  Item,
  JsonObject,
  NodeRunRecord,
  RunData,
  WorkflowGraph,
  WorkflowNode,
} from '@sluice/domain';
import { userKeyed } from '@sluice/domain';
import type { NodeType } from '@sluice/node-sdk';
import { noNetwork as unusedHttp } from '@sluice/node-sdk/testing';
import type { EnginePorts, RunOutcome, RunRequest } from '../ports.ts';
import { runWorkflow } from '../run-workflow.ts';
import { testTypes } from './test-nodes.ts';
import { TestSandbox } from './test-sandbox.ts';

/**
 * `type` without its `base.` prefix. By default, nodes are placed top to bottom in the order in
 * which they are named.
 */
export type NodeSpec = { type?: string; parameters?: JsonObject } & Partial<Omit<WorkflowNode, 'name' | 'type' | 'parameters'>>;

/**
 * Edges as text: `A -> B`, or `A:1 -> B:2` with output and input. Nodes that are only named in
 * edges have the type `tag`.
 */
export function graphOf(
  edges: readonly string[],
  nodes: Record<string, NodeSpec> = {},
  rest: Partial<WorkflowGraph> = {},
): WorkflowGraph {
  const parsed = edges.map(parseEdge);
  const names = new Set([...parsed.flatMap(({ from, to }) => [from, to]), ...Object.keys(nodes)]);
  return {
    name: 'test',
    nodes: [...names].map((name, i) => nodeOf(name, i, nodes[name] ?? {})),
    connections: connectionsOf(parsed),
    settings: { executionOrder: 'v1' },
    ...rest,
  };
}

interface ParsedEdge {
  from: string;
  output: number;
  to: string;
  input: number;
}

function parseEdge(text: string): ParsedEdge {
  const [from = '', to = ''] = text.split(' -> ');
  const [fromName = '', output = '0'] = from.split(':');
  const [toName = '', input = '0'] = to.split(':');
  return { from: fromName, output: Number(output), to: toName, input: Number(input) };
}

function nodeOf(name: string, row: number, { type = 'tag', parameters = {}, ...rest }: NodeSpec): WorkflowNode {
  return { name, type: type.includes('.') ? type : `base.${type}`, position: [0, row * 100], parameters, ...rest };
}

export function connectionsOf(edges: readonly ParsedEdge[]): Connections {
  const outputsOf = new Map<string, Connection[][]>();
  for (const { from, output, to, input } of edges) {
    const outputs = outputsOf.get(from) ?? [];
    while (outputs.length <= output) outputs.push([]);
    outputs[output]?.push({ node: to, type: 'main', index: input });
    outputsOf.set(from, outputs);
  }
  return userKeyed([...outputsOf].map(([name, outputs]) => [name, { main: outputs }] as const));
}

const noNetwork = () => Promise.reject(new Error('no network in this test'));

export interface TestEngine extends EnginePorts {
  sandbox: TestSandbox;
  types: Map<string, NodeType>;
}

export function testEngine(): TestEngine {
  const types = testTypes();
  return {
    types,
    nodeTypes: { find: (type) => types.get(type) },
    sandbox: new TestSandbox(),
    http: unusedHttp,
    connect: noNetwork,
    now: Date.now,
  };
}

export interface TestRun {
  outcome: RunOutcome;
  records: NodeRunRecord[];
  runData: RunData;
  /** Names of the nodes in the order in which their runs ended. */
  order: string[];
  /** JSON of the items of one output. */
  json(node: string, runIndex?: number, output?: number): JsonObject[];
}

const noCredential = () => Promise.reject(new Error('no credentials in this test'));
const noCredentials = { open: noCredential, authentication: noCredential, hide: () => {} };
const noFiles = () => Promise.reject(new Error('no files in this test'));
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
let executions = 0;

/** Runs a graph. Every item that a node emits is deeply frozen, so a mutation fails the test. */
export async function runGraph(
  graph: WorkflowGraph,
  overrides: Partial<RunRequest> = {},
  engine: EnginePorts = testEngine(),
): Promise<TestRun> {
  const records: NodeRunRecord[] = [];
  const recorder = { nodeFinished: (record: NodeRunRecord) => void records.push(deepFreeze(record)) };
  const outcome = await runWorkflow(engine, {
    executionId: String(++executions),
    workflow: { id: 'w1', projectId: 'p1', name: 'test', active: false },
    graph,
    mode: 'manual',
    start: {},
    done: [],
    timezone: 'UTC',
    vars: {},
    env: {},
    recorder,
    credentials: noCredentials,
    binary: { store: noFiles, read: noFiles, open: noFiles },
    signal: new AbortController().signal,
    logger: silent,
    ...overrides,
  });
  const runData = runDataOf(records);
  const itemsOf = (node: string, runIndex = 0, output = 0): Item[] => runData[node]?.[runIndex]?.data?.['main']?.[output] ?? [];
  return {
    outcome,
    records,
    runData,
    order: records.map(({ nodeName }) => nodeName),
    json: (...place) => itemsOf(...place).map(({ json }) => json),
  };
}

function runDataOf(records: readonly NodeRunRecord[]): RunData {
  const names = new Set(records.map(({ nodeName }) => nodeName));
  return userKeyed(
    [...names].map((name) => [name, records.filter(({ nodeName }) => nodeName === name).map(({ run }) => run)] as const),
  );
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value))
    Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}
