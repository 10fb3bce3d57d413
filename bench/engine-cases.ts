import type { Connections, Item, JsonObject, NodeRunRecord, WorkflowGraph, WorkflowNode } from '@sluice/domain';
import { type EnginePorts, type RunOutcome, type RunRequest, runWorkflow } from '@sluice/engine';
import { noNetwork } from '@sluice/node-sdk/testing';
import { baseNodeTypes, createNodeTypeRegistry } from '@sluice/nodes-base';
import type { Sandbox } from '@sluice/sandbox';

const refused = () => Promise.reject(new Error('not in this benchmark'));
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Ports of the engine, as in a worker but without network access. */
export function enginePorts(sandbox: Sandbox): EnginePorts {
  return {
    nodeTypes: createNodeTypeRegistry(baseNodeTypes),
    sandbox,
    http: noNetwork,
    connect: refused,
    now: Date.now,
  };
}

/** Runs a graph and collects its node runs in memory. */
export async function runOnce(
  ports: EnginePorts,
  graph: WorkflowGraph,
  { signal = new AbortController().signal, workflowId = 'bench' }: { signal?: AbortSignal; workflowId?: string } = {},
): Promise<RunOutcome> {
  const records: NodeRunRecord[] = [];
  const request: RunRequest = {
    executionId: '1',
    workflow: { id: workflowId, projectId: 'bench', name: 'bench', active: false },
    graph,
    mode: 'manual',
    start: {},
    done: [],
    timezone: 'Europe/Berlin',
    vars: {},
    env: {},
    recorder: { nodeFinished: (record) => void records.push(record) },
    credentials: { open: refused, authentication: refused, hide: () => {} },
    binary: { store: refused, read: refused, open: refused },
    signal,
    logger: silent,
  };
  return runWorkflow(ports, request);
}

/** A manual trigger with `items` pinned items, followed by a chain of `nodes` nodes. */
export function chain(
  nodes: number,
  items: number,
  node: Pick<WorkflowNode, 'type' | 'typeVersion' | 'parameters'>,
): WorkflowGraph {
  const names = ['Trigger', ...Array.from({ length: nodes }, (_, i) => `Node ${i}`)];
  const connections: Connections = Object.fromEntries(
    names.slice(1).map((name, i) => [names[i] as string, { main: [[{ node: name, type: 'main', index: 0 }]] }]),
  );
  return {
    name: 'bench',
    nodes: [
      { name: 'Trigger', type: 'base.manual-trigger', typeVersion: 1, position: [0, 0], parameters: {} },
      ...names.slice(1).map((name, i): WorkflowNode => ({ name, position: [200 * (i + 1), 0], ...node })),
    ],
    connections,
    settings: { executionOrder: 'v1' },
    pinData: { Trigger: itemsOf(items) },
  };
}

export function itemsOf(count: number): Item[] {
  return Array.from({ length: count }, (_, n) => ({
    json: { n, name: ` Name ${n} `, at: '2026-01-15T10:00:00Z', note: 'x'.repeat(200) },
  }));
}

/** A set node that adds one field. */
export function setNode(value: string): { type: string; typeVersion: number; parameters: JsonObject } {
  const assignments = [{ id: '1', name: 'field', type: 'string', value }];
  return {
    type: 'base.set',
    typeVersion: 3.4,
    parameters: { mode: 'manual', assignments: { assignments }, includeOtherFields: true, options: {} },
  };
}

export function codeNode(jsCode: string): { type: string; typeVersion: number; parameters: JsonObject } {
  return { type: 'base.code', typeVersion: 2, parameters: { jsCode } };
}
