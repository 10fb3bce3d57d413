import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { Item, NodeOutput, NodeRunRecord, WorkflowGraph, WorkflowNode } from '@sluice/domain';
import { type EnginePorts, type RunOutcome, runWorkflow } from '@sluice/engine';
import type { BinaryAccess, HttpClient, JsonObject, NodeType } from '@sluice/node-sdk';
import { createNodeTypeRegistry } from '@sluice/nodes-base';
import { createSandbox } from '@sluice/sandbox';
import { memoryBinary } from '../packages/nodes-base/src/testing/memory-binary.ts';
import { memoryFiles } from '../packages/nodes-base/src/testing/memory-files.ts';
import type { NodeExample } from '../packages/nodes-base/src/testing/node-example.ts';
import { streaming } from '../packages/nodes-base/src/testing/streaming-client.ts';
import { aiNodeIndex, aiNodePage, nodeIndex, nodePage } from './node-docs.ts';
import { aiExampleOf, aiNodeTypes, apiPageOf, builtInNodeTypes, exampleOf, shownExamples } from './node-examples.ts';

const sandbox = createSandbox({ timeoutMs: 60_000, memoryMb: 64, threads: 1 });
afterAll(() => sandbox.close());

const page = (name: string, folder = 'nodes') => readFileSync(new URL(`../docs/${folder}/${name}.md`, import.meta.url), 'utf8');
const named = builtInNodeTypes.map((type) => [type.description.name, type] as const);

describe('docs/nodes', () => {
  test.each(named)('the page of %s matches its description (otherwise, run npm run docs:nodes)', async (name, type) => {
    expect(page(name)).toBe(nodePage(type, await exampleOf(type), apiPageOf(type)));
  });

  test('has the examples that the dashboard shows (otherwise, run npm run docs:nodes)', async () => {
    const file = new URL('../apps/dashboard/src/pages/node-types/generated/examples.json', import.meta.url);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(await shownExamples());
  });

  test('has a page for each node type and an index', () => {
    const files = readdirSync(new URL('../docs/nodes/', import.meta.url));
    expect(files.sort()).toEqual([...named.map(([name]) => `${name}.md`), 'README.md'].sort());
    expect(page('README')).toBe(nodeIndex(builtInNodeTypes));
  });
});

describe('docs/ai-nodes', () => {
  const aiNamed = aiNodeTypes.map((type) => [type.description.name, type] as const);

  test.each(aiNamed)('the page of %s matches its description (otherwise, run npm run docs:nodes)', async (name, type) => {
    expect(page(name, 'ai-nodes')).toBe(aiNodePage(type, await aiExampleOf(type)));
  });

  test('has a page for each AI node type and an index', () => {
    const files = readdirSync(new URL('../docs/ai-nodes/', import.meta.url));
    expect(files.sort()).toEqual([...aiNamed.map(([name]) => `${name}.md`), 'README.md'].sort());
    expect(page('README', 'ai-nodes')).toBe(aiNodeIndex(aiNodeTypes));
  });
});

test.each(named)('the example of %s produces the documented result', async (name, type) => {
  const example = await exampleOf(type);
  if (example.needs !== undefined) return; // A test of the node runs this example.
  const { outcome, output } = await runExample(type, example);
  if (example.error !== undefined) {
    expect(outcome).toMatchObject({ status: 'error', error: { message: example.error, node: 'Example' } });
    return;
  }
  expect([name, outcome.status]).toEqual([name, 'success']);
  const json = output.map((items) => (items ?? []).map((item) => JSON.parse(JSON.stringify(item.json)) as JsonObject));
  while (json.length > (example.outputs?.length ?? 0) && json.at(-1)?.length === 0) json.pop();
  expect(json).toEqual(example.outputs);
});

/** Runs an example in a workflow whose pinned items arrive at the inputs of the node. */
async function runExample(type: NodeType, example: NodeExample): Promise<{ outcome: RunOutcome; output: NodeOutput }> {
  const ports: EnginePorts = {
    nodeTypes: createNodeTypeRegistry(builtInNodeTypes),
    sandbox,
    http: streaming(respondingWith(example)),
    connect: () => Promise.reject(new Error('examples have no network')),
    now: Date.now,
    ...(example.folder && { files: memoryFiles(new Map(Object.entries(example.folder))) }),
  };
  const binary = memoryBinary();
  const records: NodeRunRecord[] = [];
  const noCredential = () => Promise.reject(new Error('examples have no credentials'));
  const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const outcome = await runWorkflow(ports, {
    executionId: '1',
    workflow: { id: 'w', projectId: 'p', name: 'Example', active: false },
    graph: graphOf(type, example, await storedFiles(binary, example)),
    mode: 'manual',
    start: { destinationNode: 'Example' },
    done: [],
    timezone: 'UTC',
    vars: {},
    env: {},
    recorder: { nodeFinished: (record) => void records.push(record) },
    credentials: { open: noCredential, authentication: noCredential, hide: () => {} },
    binary,
    signal: AbortSignal.timeout(20_000),
    logger: silent,
  });
  return { outcome, output: records.find(({ nodeName }) => nodeName === 'Example')?.run.data?.['main'] ?? [] };
}

async function storedFiles(binary: BinaryAccess, { files = {} }: NodeExample): Promise<Pick<Item, 'binary'>> {
  const stored = Object.entries(files).map(
    async ([property, { fileName, text }]) => [property, await binary.store(Buffer.from(text), { fileName })] as const,
  );
  return stored.length > 0 ? { binary: Object.fromEntries(await Promise.all(stored)) } : {};
}

function graphOf(type: NodeType, example: NodeExample, files: Pick<Item, 'binary'>): WorkflowGraph {
  const { inputs = [], parameters, typeVersion } = example;
  const node = (name: string, nodeType: string, y: number, more: Partial<WorkflowNode> = {}): WorkflowNode => ({
    name,
    type: `base.${nodeType}`,
    position: [0, y],
    parameters: {},
    ...more,
  });
  const names = inputs.map((_, input) => `Input ${input + 1}`);
  const exampleNode = node('Example', type.description.name, 1_000, {
    parameters,
    ...(typeVersion !== undefined && { typeVersion }),
  });
  const to = (target: string, index = 0) => ({ main: [[{ node: target, type: 'main', index }]] });
  const start = { main: [names.map((name) => ({ node: name, type: 'main', index: 0 }))] };
  return {
    name: 'Example',
    nodes: [
      ...(names.length > 0 ? [node('Start', 'manual-trigger', 0)] : []),
      ...names.map((name, y) => node(name, 'no-op', y)),
      exampleNode,
    ],
    connections: { Start: start, ...Object.fromEntries(names.map((name, input) => [name, to('Example', input)])) },
    settings: { executionOrder: 'v1' },
    pinData: Object.fromEntries(
      inputs.map((items, input) => [names[input] ?? '', items.map((json): Item => ({ json, ...(input === 0 && files) }))]),
    ),
  };
}

function respondingWith({ response }: NodeExample): Pick<HttpClient, 'request'> {
  return {
    request: async ({ url }) => {
      if (!response) throw new Error('the example expects no request');
      return {
        status: response.status,
        statusText: '',
        headers: { 'content-type': 'text' in response ? 'text/plain' : 'application/json' },
        body: new TextEncoder().encode('text' in response ? response.text : JSON.stringify(response.json)),
        url,
      };
    },
  };
}
