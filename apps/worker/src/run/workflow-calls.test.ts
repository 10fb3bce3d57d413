import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, jest, test } from '@jest/globals';
import type { ClaimedExecution } from '@sluice/db';
import { type JsonObject, UnavailableError } from '@sluice/domain';
import { SecretScrubber } from '@sluice/vault';
import { WorkflowCalls, type WorkflowCallsOptions } from './workflow-calls.ts';

const claimed = {
  executionId: '1',
  workflowId: 'caller',
  graphHash: 'hash',
  mode: 'manual',
  callDepth: 0,
} as unknown as ClaimedExecution;
const target = { id: 'called', name: 'called', sameProject: true, newestHash: 'hash', activeHash: null, settings: null };
const run = {
  claimed,
  scrubber: new SecretScrubber(),
  signal: new AbortController().signal,
  name: 'caller',
  destinationNode: 'Last',
};
const graph = { name: 'called', nodes: [], connections: {} };

/** Fails once as in an outage, then returns the value. */
function afterAnOutage<T>(value: T): () => Promise<T> {
  let isDown = true;
  return async () => {
    if (!isDown) return value;
    isDown = false;
    throw new UnavailableError('the database cannot be reached');
  };
}

const options = () =>
  ({
    callableWorkflows: { find: afterAnOutage(target) },
    graphCache: { get: afterAnOutage(graph) },
    graphs: { storeForRun: afterAnOutage(undefined) },
    maxNodes: 5,
    maxInputBytes: 1_000_000,
  }) as unknown as WorkflowCallsOptions;

test('a database outage delays a workflow call but does not fail it', async () => {
  const calls = new WorkflowCalls(options(), run);
  expect(await calls.find('called')).toMatchObject({ id: 'called', graphHash: 'hash' });
  expect(await calls.define(graph)).toMatchObject({ id: 'caller', name: 'called' });
});

test('the end of the execution ends the delay', async () => {
  const calls = new WorkflowCalls(options(), { ...run, signal: AbortSignal.abort() });
  await expect(calls.find('called')).rejects.toThrow('the database cannot be reached');
});

const node = { name: 'N', type: 'base.no-op' };

test.each<[string, JsonObject]>([
  ['/connections/N must be an object', { nodes: [node], connections: { N: 5 } }],
  ['/connections/N/main must be an array', { nodes: [node], connections: { N: { main: 'x' } } }],
  ['/connections/N/main/0/0/index must be at most 999', { nodes: [node], connections: linkedTo('N', 1_000_000_000) }],
  ['/connections/N/main/0/0/index must be an integer', { nodes: [node], connections: linkedTo('N', 'length') }],
  ['/connections/N/main/0/0/node no node has this name', { nodes: [node], connections: linkedTo('other', 0) }],
  ['/nodes/0/parameters must be an object', { nodes: [{ ...node, parameters: null }] }],
  ['/nodes/1/name another node has this name', { nodes: [node, node] }],
  ['/nodes must not contain more than 5 nodes', { nodes: Array.from({ length: 6 }, (_, i) => ({ ...node, name: `N${i}` })) }],
  ['/nodes must be an array', { nodes: 'x' }],
])('an inline workflow that the API would reject is rejected: %s', async (description, workflow) => {
  const { graphs, ...others } = options();
  const storeForRun = jest.fn();
  const calls = new WorkflowCalls({ ...others, graphs: { ...graphs, storeForRun } as never }, run);
  await expect(calls.define(workflow)).rejects.toMatchObject({ message: 'the JSON is not a workflow', description });
  expect(storeForRun).not.toHaveBeenCalled();
});

function linkedTo(target: string, index: number | string): JsonObject {
  return { N: { main: [[{ node: target, type: 'main', index }]] } };
}

test('calls that repeat a long value are rejected before their inputs exhaust memory', async () => {
  const start = jest.fn(async () => []);
  const calls = new WorkflowCalls(
    { ...options(), queueGauge: { full: async () => [] }, calledExecutions: { start } } as never,
    run,
  );
  const workflow = { id: 'called', name: 'called', graphHash: 'hash', returnsAllRuns: false };
  const call = { workflow, items: [{ json: { x: 'y'.repeat(100_000) } }] };
  await expect(calls.start(Array(20).fill(call))).rejects.toMatchObject({ code: 'RUN_DATA_TOO_LARGE' });
  expect(start).not.toHaveBeenCalled();
});

test('a run of the same workflow starts at a trigger with the items, and ends at the same node', async () => {
  const start = jest.fn(async (..._: unknown[]) => []);
  const calls = new WorkflowCalls(
    {
      ...options(),
      queueGauge: { full: async () => [] },
      calledExecutions: { start },
      followUps: { enqueue: async () => {} },
    } as never,
    run,
  );
  const { workflow, destinationNode } = calls.current();
  await calls.start([{ workflow, items: [{ json: { row: 2 } }], start: { node: 'Rows', destinationNode } }]);
  const inputJson = JSON.stringify({
    trigger: { node: 'Rows', output: 0, items: [{ json: { row: 2 } }] },
    destinationNode: 'Last',
  });
  const child = {
    workflow: { id: 'caller', name: 'caller', graphHash: 'hash', returnsAllRuns: false },
    inputJson,
    fileIds: [],
  };
  expect(start.mock.calls[0]?.[1]).toEqual([child]);
});

/** Prints whether the schemas of the contract are loaded. */
const program = `
  import { registerHooks } from 'node:module';
  let isLoaded = false;
  registerHooks({
    load(url, context, next) {
      isLoaded ||= url.includes('/packages/contract/');
      return next(url, context);
    },
  });
  await import('./workflow-calls.ts');
  console.log(isLoaded);
`;

test('the schemas of workflows are loaded by the first node that defines one, not with the worker', async () => {
  const flags = ['--conditions=source', '--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, flags, { cwd: import.meta.dirname });
  expect(stdout).toBe('false\n');
});
