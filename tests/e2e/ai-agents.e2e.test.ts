import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import type { JsonObject, WorkflowGraph, WorkflowNode } from '@sluice/domain';
import { aChain, aNode, eventually } from '@sluice/test-support';
import { type RunningProcess, startService, startWorker } from './harness.ts';
import { endedBy } from './support/cleanup.ts';
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

const endedAtLast = endedBy(afterAll);
const ended = endedBy(afterEach);
/** The services that tools call. */
let world: LoopbackServer;
let credential: { id: string; name: string };

/** The provider of the model. */
const provider = endedAtLast(await RecordingServer.start());
const service = endedAtLast(await startService({ settings: { WORKERS: '0', SSRF_ALLOW: '127.0.0.1' } }));
const data = { apiKey: 'k', url: `${provider.url}/v1` };
const created = await service.call('POST', '/credentials', { name: 'model', type: 'openAiApi', data });
credential = expectStatus(created, 201);
beforeEach(async () => {
  provider.reset();
  world = ended(await LoopbackServer.start());
});

/** One execution at a time. */
async function startOwnWorker(settings: Record<string, string> = {}): Promise<RunningProcess> {
  const urls = { DATABASE_URL: service.databaseUrl, REDIS_URL: service.redisUrl };
  return ended(await startWorker({ ...urls, SSRF_ALLOW: '127.0.0.1', LEASE_MS: '3000', CONCURRENCY: '1', ...settings }));
}

/** The model calls these tools one after the other, and then answers. */
function modelThatCalls(calls: readonly { name: string; input: JsonObject }[]): void {
  provider.respond('POST /v1/chat/completions', ({ body }: RecordedRequest) => {
    const { messages } = JSON.parse(body.toString()) as { messages: { role: string }[] };
    const call = calls[messages.filter(({ role }) => role === 'tool').length];
    const asked = call && [
      { id: 'c1', type: 'function', function: { name: call.name, arguments: JSON.stringify(call.input) } },
    ];
    const message = { role: 'assistant', content: call ? null : 'done', ...(asked && { tool_calls: asked }) };
    return {
      body: { id: '1', created: 1, model: 'm', choices: [{ index: 0, message, finish_reason: call ? 'tool_calls' : 'stop' }] },
    };
  });
}

/** An agent with a model and these tools; its prompt has the time. */
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

/** A node of a provider with these tools. */
function aProviderNode(tools: readonly WorkflowNode[]): WorkflowGraph {
  const parameters = { modelId: 'm', messages: { values: [{ content: '=It is {{ $now.toISO() }}' }] } };
  const credentials = { openAiApi: credential };
  const node = aNode({ name: 'Agent', type: 'ai.open-ai', typeVersion: 1.8, parameters, credentials });
  return withSubNodes(node, { ai_tool: tools });
}

/** The trigger and this node, with its sub-nodes by connection type. */
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

const aRequest = (name: string) => aCall(name, `${world.url}/${name}`, { type: 'base.http-requestTool' });
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
  ['a node of a provider', aProviderNode, { message: { content: 'done' } }],
])(
  'after kill -9 during a tool call of %s, the retry repeats no finished call of a tool or of the model',
  async (_, graphOf, output) => {
    modelThatCalls([
      { name: 'first', input: {} },
      { name: 'second', input: {} },
    ]);
    world.hold('/second');
    const victim = await startOwnWorker();
    const { executionId } = await startNew(service, graphOf([aRequest('first'), aRequest('second')]));
    await eventually(() => world.waiting('/second') === 1);
    victim.signal('SIGKILL');
    await startOwnWorker();
    await untilStatus(service, executionId, 'crashed');
    world.respond('/second');

    const { id } = await retry(service, executionId);

    expect(outputOf(await untilStatus(service, id, 'success'))).toMatchObject([output]);
    expect([world.calls('/first'), world.calls('/second')]).toEqual([1, 2]);
    expect(provider.requests).toHaveLength(3);
  },
);

test('a retry of a failed provider node runs the node from its start', async () => {
  modelThatCalls([
    { name: 'first', input: {} },
    { name: 'first', input: {} },
  ]);
  world.respond('/first');
  await startOwnWorker({ AI_MAX_MODEL_CALLS: '1' });
  const { executionId } = await startNew(service, aProviderNode([aRequest('first')]));
  await untilStatus(service, executionId, 'error');
  expect([provider.requests.length, world.calls('/first')]).toEqual([1, 1]);

  const { id } = await retry(service, executionId);

  await untilStatus(service, id, 'error');
  expect([provider.requests.length, world.calls('/first')]).toEqual([2, 2]);
});

test('a workflow that an agent calls needs no worker of its own, and is linked to the agent', async () => {
  modelThatCalls([
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
  expect(world.calls('/first')).toBe(1);
  expect(provider.requests).toHaveLength(4);
  const parents = await queryDatabase(
    service.databaseUrl,
    `SELECT parent_execution_id FROM executions WHERE workflow_id = '${sub}'`,
  );
  expect(parents).toEqual([{ parent_execution_id: executionId }, { parent_execution_id: executionId }]);
});

/** An agent that has its own workflow as a tool, and a request `first`. */
function aRecursiveAgent(): WorkflowGraph {
  const graph = anAgent([aWorkflowTool('={{ $workflow.id }}'), aRequest('first')]);
  const nodes = graph.nodes.map((node) =>
    node.name === 'Agent' ? { ...node, parameters: { promptType: 'define', text: 'go', options: { maxIterations: 3 } } } : node,
  );
  const toAgent = { main: [[{ node: 'Agent', type: 'main', index: 0 }]] };
  return { ...graph, nodes: [...nodes, called], connections: { ...graph.connections, Called: toAgent } };
}

/** The model always calls a tool: the one that `toolOf` names, by the number of the call from 1. */
function modelWithoutEnd(toolOf: (call: number) => string): void {
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

test('an agent that calls its own workflow makes no more calls of models, with all that it calls, than one execution may', async () => {
  modelWithoutEnd(() => 'Sub');
  await startOwnWorker({ AI_MAX_MODEL_CALLS: '6' });
  const { workflowId, executionId } = await startNew(service, aRecursiveAgent());

  await untilStatus(service, executionId, 'error');

  expect(provider.requests).toHaveLength(6);
  const refused = { status: 'error', code: 'AI_LIMIT_REACHED' };
  expect(await executionsOf(workflowId)).toEqual([0, 1, 2, 3, 4, 5, 6].map((depth) => ({ ...refused, depth })));
});

test('what a called workflow has used still counts when kill -9 ends it, and its caller continues', async () => {
  modelWithoutEnd((call) => (call === 3 ? 'first' : 'Sub'));
  world.hold('/first');
  const victim = await startOwnWorker({ AI_MAX_MODEL_CALLS: '6' });
  const { workflowId, executionId } = await startNew(service, aRecursiveAgent());
  await eventually(() => world.waiting('/first') === 1);
  victim.signal('SIGKILL');
  await startOwnWorker({ AI_MAX_MODEL_CALLS: '6' });

  await untilStatus(service, executionId, 'error');

  expect(provider.requests).toHaveLength(6);
  const ended = await executionsOf(workflowId);
  expect(ended.filter(({ status }) => status === 'crashed')).toMatchObject([{ depth: 2 }]);
  expect(ended.filter(({ code }) => code === 'AI_LIMIT_REACHED')).toHaveLength(ended.length - 1);
});

test('a workflow that an agent has called ends with it', async () => {
  modelThatCalls([{ name: 'Sub', input: { query: 'a' } }]);
  world.hold('/hangs');
  const sub = await createWorkflow(service, aChain([called, aCall('hangs', `${world.url}/hangs`)]));
  await startOwnWorker();
  const { executionId } = await startNew(service, anAgent([aWorkflowTool(sub)]));
  await eventually(() => world.waiting('/hangs') === 1);
  await untilRecorded(service, executionId, 'Model');

  await stop(service, executionId);

  await eventually(() => world.lostAt('/hangs').length === 1);
  expect((await getExecution(service, executionId)).status).toBe('canceled');
});
