import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import type { JsonObject, WorkflowGraph, WorkflowNode } from '@sluice/domain';
import { aChain, aNode, eventually } from '@sluice/test-support';
import { type RunningProcess, startService, startWorker } from './harness.ts';
import { stopIn } from './support/cleanup.ts';
import { queryDatabase } from './support/database.ts';
import { LoopbackServer } from './support/loopback-server.ts';
import { type RecordedRequest, RecordingServer } from './support/recording-server.ts';
import {
  createWorkflow,
  expectStatus,
  getExecution,
  retry,
  startNew,
  stop,
  untilRecorded,
  untilStatus,
} from './support/runs.ts';
import { aCall, aSet, trigger } from './support/workflows.ts';

const stopAfterAll = stopIn(afterAll);
const stopAfterEach = stopIn(afterEach);
/** Serves the requests of tools. */
let toolServer: LoopbackServer;
let credential: { id: string; name: string };

/** Serves the requests to the model. */
const provider = stopAfterAll(await RecordingServer.start());
const service = stopAfterAll(await startService({ settings: { WORKERS: '0', SSRF_ALLOW: '127.0.0.1' } }));
const data = { apiKey: 'k', url: `${provider.url}/v1` };
const created = await service.call('POST', '/credentials', { name: 'model', type: 'openAiApi', data });
credential = expectStatus(created, 201);
beforeEach(async () => {
  provider.reset();
  toolServer = stopAfterEach(await LoopbackServer.start());
});

/** Starts a worker that runs one execution at a time. */
async function startOwnWorker(settings: Record<string, string> = {}): Promise<RunningProcess> {
  const urls = { DATABASE_URL: service.databaseUrl, REDIS_URL: service.redisUrl };
  return stopAfterEach(
    await startWorker({ ...urls, SSRF_ALLOW: '127.0.0.1', LEASE_MS: '3000', CONCURRENCY: '1', ...settings }),
  );
}

/** Makes the model call these tools one after another and then respond with `done`. */
function respondWithToolCalls(calls: readonly { name: string; input: JsonObject }[]): void {
  provider.respond('POST /v1/chat/completions', ({ body }: RecordedRequest) => {
    const { messages } = JSON.parse(body.toString()) as { messages: { role: string }[] };
    const call = calls[messages.filter(({ role }) => role === 'tool').length];
    const toolCalls = call && [
      { id: 'c1', type: 'function', function: { name: call.name, arguments: JSON.stringify(call.input) } },
    ];
    const message = { role: 'assistant', content: call ? null : 'done', ...(toolCalls && { tool_calls: toolCalls }) };
    return {
      body: { id: '1', created: 1, model: 'm', choices: [{ index: 0, message, finish_reason: call ? 'tool_calls' : 'stop' }] },
    };
  });
}

/** An agent with a model and these tools. Its prompt contains the time. */
function anAgent(tools: readonly WorkflowNode[]): WorkflowGraph {
  const parameters = { promptType: 'define', text: '=It is {{ $now.toISO() }}' };
  const agent = aNode({ name: 'Agent', type: 'ai.agent', typeVersion: 3, parameters });
  const model = aNode({
    name: 'Model',
    type: 'ai.lm-chat-open-ai',
    typeVersion: 1.2,
    parameters: { model: 'm' },
    credentials: { openAiApi: credential },
  });
  return withSubNodes(agent, { ai_languageModel: [model], ai_tool: tools });
}

/** A provider node with these tools. */
function aProviderNode(tools: readonly WorkflowNode[]): WorkflowGraph {
  const parameters = { modelId: 'm', messages: { values: [{ content: '=It is {{ $now.toISO() }}' }] } };
  const credentials = { openAiApi: credential };
  const node = aNode({ name: 'Agent', type: 'ai.open-ai', typeVersion: 1.8, parameters, credentials });
  return withSubNodes(node, { ai_tool: tools });
}

/** A trigger, then the node with its sub-nodes by connection type. */
function withSubNodes(node: WorkflowNode, subNodes: Record<string, readonly WorkflowNode[]>): WorkflowGraph {
  const chain = aChain([trigger, node]);
  const attached = Object.entries(subNodes).flatMap(([type, suppliers]) =>
    suppliers.map(({ name }): [string, WorkflowGraph['connections'][string]] => [
      name,
      { [type]: [[{ node: node.name, type, index: 0 }]] },
    ]),
  );
  const connections = { ...chain.connections, ...Object.fromEntries(attached) };
  return { ...chain, nodes: [...chain.nodes, ...Object.values(subNodes).flat()], connections };
}

const aRequest = (name: string) => aCall(name, `${toolServer.url}/${name}`, { type: 'base.http-requestTool' });
const aWorkflowTool = (workflowId: string) =>
  aNode({ name: 'Sub', type: 'ai.tool-workflow', typeVersion: 2.2, parameters: { description: 'runs it', workflowId } });
const called = aNode({ name: 'Called', type: 'base.execute-workflow-trigger' });
const outputOf = ({
  data,
}: {
  data: { resultData: { runData: Record<string, { data: { main: { json: object }[][] } }[]> } };
}) => data.resultData.runData['Agent']?.at(-1)?.data.main[0]?.map(({ json }) => json);

test.each<[string, (tools: readonly WorkflowNode[]) => WorkflowGraph, object]>([
  ['an agent', anAgent, { output: 'done' }],
  ['a provider node', aProviderNode, { message: { content: 'done' } }],
])(
  'a retry after kill -9 during a tool call of %s does not repeat finished tool calls or model calls',
  async (_, graphOf, output) => {
    respondWithToolCalls([
      { name: 'first', input: {} },
      { name: 'second', input: {} },
    ]);
    toolServer.hold('/second');
    const victim = await startOwnWorker();
    const { executionId } = await startNew(service, graphOf([aRequest('first'), aRequest('second')]));
    await eventually(() => toolServer.waiting('/second') === 1);
    victim.signal('SIGKILL');
    await startOwnWorker();
    await untilStatus(service, executionId, 'crashed');
    toolServer.respond('/second');

    const { id } = await retry(service, executionId);

    expect(outputOf(await untilStatus(service, id, 'success'))).toMatchObject([output]);
    expect([toolServer.calls('/first'), toolServer.calls('/second')]).toEqual([1, 2]);
    expect(provider.requests).toHaveLength(3);
  },
);

test('a retry of a failed provider node repeats all its calls', async () => {
  respondWithToolCalls([
    { name: 'first', input: {} },
    { name: 'first', input: {} },
  ]);
  toolServer.respond('/first');
  await startOwnWorker({ AI_MAX_MODEL_CALLS: '1' });
  const { executionId } = await startNew(service, aProviderNode([aRequest('first')]));
  await untilStatus(service, executionId, 'error');
  expect([provider.requests.length, toolServer.calls('/first')]).toEqual([1, 1]);

  const { id } = await retry(service, executionId);

  await untilStatus(service, id, 'error');
  expect([provider.requests.length, toolServer.calls('/first')]).toEqual([2, 2]);
});

test('a workflow called by an agent needs no slot of its own, and is linked to the calling execution', async () => {
  respondWithToolCalls([
    { name: 'first', input: {} },
    { name: 'Sub', input: { query: 'a' } },
    { name: 'Sub', input: { query: 'b' } },
  ]);
  const sub = await createWorkflow(service, aChain([called, aSet('Answer', '={{ { got: $json.query } }}')]));
  await startOwnWorker();
  const { executionId } = await startNew(service, anAgent([aRequest('first'), aWorkflowTool(sub)]));

  const execution = await untilStatus(service, executionId, 'success');

  expect(outputOf(execution)).toEqual([{ output: 'done' }]);
  const { runData } = execution.data.resultData;
  expect(runData.Sub.map((run: { data: { ai_tool: { json: object }[][] } }) => run.data.ai_tool[0]?.[0]?.json)).toEqual([
    { got: 'a' },
    { got: 'b' },
  ]);
  expect(toolServer.calls('/first')).toBe(1);
  expect(provider.requests).toHaveLength(4);
  const parents = await queryDatabase(
    service.databaseUrl,
    `SELECT parent_execution_id FROM executions WHERE workflow_id = '${sub}'`,
  );
  expect(parents).toEqual([{ parent_execution_id: executionId }, { parent_execution_id: executionId }]);
});

/** An agent whose tools are its own workflow and a request `first`. */
function aRecursiveAgent(): WorkflowGraph {
  const graph = anAgent([aWorkflowTool('={{ $workflow.id }}'), aRequest('first')]);
  const nodes = graph.nodes.map((node) =>
    node.name === 'Agent' ? { ...node, parameters: { promptType: 'define', text: 'go', options: { maxIterations: 3 } } } : node,
  );
  const toAgent = { main: [[{ node: 'Agent', type: 'main', index: 0 }]] };
  return { ...graph, nodes: [...nodes, called], connections: { ...graph.connections, Called: toAgent } };
}

/** Makes the model call a tool every time. `toolOf` names it by the number of the call, from 1. */
function respondWithEndlessToolCalls(toolOf: (call: number) => string): void {
  provider.respond('POST /v1/chat/completions', () => {
    const name = toolOf(provider.requests.length);
    const calls = [
      { id: 'c1', type: 'function', function: { name, arguments: JSON.stringify(name === 'Sub' ? { query: 'a' } : {}) } },
    ];
    const message = { role: 'assistant', content: null, tool_calls: calls };
    return { body: { id: '1', created: 1, model: 'm', choices: [{ index: 0, message, finish_reason: 'tool_calls' }] } };
  });
}

const executionsOf = (workflowId: string) =>
  queryDatabase(
    service.databaseUrl,
    `SELECT status, error->>'code' AS code, call_depth AS depth FROM executions WHERE workflow_id = '${workflowId}' ORDER BY id`,
  );

test('an agent that calls its own workflow shares the limit on model calls with all its sub-executions', async () => {
  respondWithEndlessToolCalls(() => 'Sub');
  await startOwnWorker({ AI_MAX_MODEL_CALLS: '6' });
  const { workflowId, executionId } = await startNew(service, aRecursiveAgent());

  await untilStatus(service, executionId, 'error');

  expect(provider.requests).toHaveLength(6);
  const refused = { status: 'error', code: 'AI_LIMIT_REACHED' };
  expect(await executionsOf(workflowId)).toEqual([0, 1, 2, 3, 4, 5, 6].map((depth) => ({ ...refused, depth })));
});

test('the model calls of a sub-execution still count after kill -9, and the calling execution continues', async () => {
  respondWithEndlessToolCalls((call) => (call === 3 ? 'first' : 'Sub'));
  toolServer.hold('/first');
  const victim = await startOwnWorker({ AI_MAX_MODEL_CALLS: '6' });
  const { workflowId, executionId } = await startNew(service, aRecursiveAgent());
  await eventually(() => toolServer.waiting('/first') === 1);
  victim.signal('SIGKILL');
  await startOwnWorker({ AI_MAX_MODEL_CALLS: '6' });

  await untilStatus(service, executionId, 'error');

  expect(provider.requests).toHaveLength(6);
  const ended = await executionsOf(workflowId);
  expect(ended.filter(({ status }) => status === 'crashed')).toMatchObject([{ depth: 2 }]);
  expect(ended.filter(({ code }) => code === 'AI_LIMIT_REACHED')).toHaveLength(ended.length - 1);
});

test('stopping an agent also stops the workflow that it called', async () => {
  respondWithToolCalls([{ name: 'Sub', input: { query: 'a' } }]);
  toolServer.hold('/hangs');
  const sub = await createWorkflow(service, aChain([called, aCall('hangs', `${toolServer.url}/hangs`)]));
  await startOwnWorker();
  const { executionId } = await startNew(service, anAgent([aWorkflowTool(sub)]));
  await eventually(() => toolServer.waiting('/hangs') === 1);
  await untilRecorded(service, executionId, 'Model');

  await stop(service, executionId);

  await eventually(() => toolServer.lostAt('/hangs').length === 1);
  expect((await getExecution(service, executionId)).status).toBe('canceled');
});
