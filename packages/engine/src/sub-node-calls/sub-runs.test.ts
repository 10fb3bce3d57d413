import { expect, test } from '@jest/globals';
import type { Connections, NodeRunRecord } from '@sluice/domain';
import {
  type ExecuteContext,
  type LanguageModel,
  type ModelChunk,
  type ModelRequest,
  type ModelResult,
  NodeOperationError,
  type NodeType,
  type TokenUsage,
  type Tool,
} from '@sluice/node-sdk';
import type { NodeStart, RunRequest } from '../ports.ts';
import { graphOf, runGraph, testEngine } from '../testing/run-graph.ts';
import { asItems, testType } from '../testing/test-nodes.ts';

const answer: ModelResult = {
  content: [{ type: 'text', text: 'hello' }],
  text: 'hello',
  toolCalls: [],
  finishReason: 'stop',
  usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 },
};

const model: LanguageModel = {
  provider: 'test',
  modelId: 'm-1',
  generate: async () => answer,
  async *stream(): AsyncIterable<ModelChunk> {
    yield { type: 'text', text: 'hello' };
    yield { type: 'result', result: answer };
  },
};

const tool = (name: string, run: Tool['run'] = async (input) => ({ got: input })): Tool => ({
  name,
  description: name,
  inputSchema: { type: 'object' },
  run,
});

const supplying = (name: string, value: (context: ExecuteContext, itemIndex: number) => unknown): NodeType => ({
  ...testType(name, () => []),
  supply: value,
});

const request: ModelRequest = { messages: [{ role: 'user', content: 'hi' }] };

type Ask = (context: ExecuteContext) => Promise<unknown>;

/** A node `Agent` that runs `ask`, with a model and the tools of a node `Tools`. */
async function runAgent(ask: Ask, tools: readonly Tool[] = [tool('t')], overrides: Partial<RunRequest> = {}) {
  const engine = testEngine();
  const asker = testType('asker', async (context) => [asItems({ result: (await ask(context)) as string })]);
  const types = [asker, supplying('model', () => model), supplying('tools', () => tools)];
  for (const type of types) engine.types.set(`base.${type.description.name}`, type);
  const attached: Connections = {
    Model: { ai_languageModel: [[{ node: 'Agent', type: 'ai_languageModel', index: 0 }]] },
    Tools: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
  };
  const { connections } = graphOf(['T -> Agent']);
  const nodes = { T: { type: 'emit' }, Agent: { type: 'asker' }, Model: { type: 'model' }, Tools: { type: 'tools' } };
  return runGraph(graphOf(['T -> Agent'], nodes, { connections: { ...connections, ...attached } }), overrides, engine);
}

const theModel = async (context: ExecuteContext) => (await context.connected('ai_languageModel', 0))[0]?.value as LanguageModel;

test('each call of a sub-node is a node run with its input, output, tokens, model, and order', async () => {
  const { runData, order, json } = await runAgent(async (context) => {
    const value = await theModel(context);
    const [first] = await context.connected('ai_tool', 0);
    await value.generate(request, context.signal);
    await first?.value.run({ q: 1 }, context.signal);
    return (await value.generate(request, context.signal)).text;
  });
  expect(order).toEqual(['T', 'Model', 'Tools', 'Model', 'Agent']);
  expect(json('Agent')).toEqual([{ result: 'hello' }]);
  expect(runData['Model']?.[1]).toMatchObject({
    executionStatus: 'success',
    source: [{ previousNode: 'Agent' }],
    inputOverride: { ai_languageModel: [[{ json: { messages: [{ role: 'user', content: 'hi' }] } }]] },
    data: { ai_languageModel: [[{ json: { text: 'hello', finishReason: 'stop' } }]] },
    metadata: { use: 'generate', step: 3, model: 'm-1', usage: { totalTokens: 5 } },
  });
  expect(runData['Tools']?.[0]).toMatchObject({
    inputOverride: { ai_tool: [[{ json: { q: 1 } }]] },
    data: { ai_tool: [[{ json: { got: { q: 1 } } }]] },
    metadata: { use: 'run', step: 2 },
  });
});

test('a list of numbers in the result of a tool is recorded completely, so that the call need not be repeated', async () => {
  const list = Array.from({ length: 100 }, (_, n) => n);
  const { runData } = await runAgent(
    async (context) => (await context.connected('ai_tool', 0))[0]?.value.run({}, context.signal).then(() => 'done'),
    [tool('t', async () => ({ list }))],
  );
  expect(runData['Tools']?.[0]?.data).toEqual({ ai_tool: [[{ json: { list } }]] });
  expect(runData['Tools']?.[0]?.metadata).not.toHaveProperty('partial');
});

test('a stream is recorded with its result when it ends', async () => {
  const { runData } = await runAgent(async (context) => {
    for await (const _ of (await theModel(context)).stream(request, context.signal)) void _;
    return 'done';
  });
  expect(runData['Model']?.[0]?.data?.['ai_languageModel']?.[0]?.[0]?.json).toMatchObject({ text: 'hello' });
});

test('a failed call is recorded with its error, which the node can handle', async () => {
  const failing = tool('t', async () => Promise.reject(new NodeOperationError('no such city')));
  const { runData, outcome } = await runAgent(
    async (context) => {
      const [first] = await context.connected('ai_tool', 0);
      return first?.value.run({}, context.signal).catch((error: Error) => error.message);
    },
    [failing],
  );
  expect(outcome.status).toBe('success');
  expect(runData['Tools']?.[0]).toMatchObject({ executionStatus: 'error', error: { message: 'no such city', node: 'Tools' } });
  expect(runData['Agent']?.[0]?.data?.['main']?.[0]?.[0]?.json).toEqual({ result: 'no such city' });
});

test('overlapping calls each have their own run', async () => {
  const waits = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = tool('t', async (input) => {
    await waits[Number(input)]?.promise;
    return input;
  });
  const { records } = await runAgent(
    async (context) => {
      const [first] = await context.connected('ai_tool', 0);
      const running = [0, 1].map((n) => first?.value.run(n, context.signal));
      waits[1]?.resolve();
      await running[1];
      waits[0]?.resolve();
      return (await running[0]) as number;
    },
    [slow],
  );
  const runs = records.filter(({ nodeName }) => nodeName === 'Tools');
  expect(runs.map(({ runIndex, run }) => [runIndex, run.data?.['ai_tool']?.[0]?.[0]?.json])).toEqual([
    [1, { response: 1 }],
    [0, { response: 0 }],
  ]);
});

test('a sub-node can supply several tools', async () => {
  const { json } = await runAgent(
    async (context) => (await context.connected('ai_tool', 0)).map(({ nodeName, value }) => `${nodeName} ${value.name}`).join(),
    [tool('a'), tool('b')],
  );
  expect(json('Agent')).toEqual([{ result: 'Tools a,Tools b' }]);
});

test('a sub-node that supplies something else fails the run', async () => {
  const { outcome } = await runAgent((context) => context.connected('ai_tool', 0), [{ name: 'x' } as unknown as Tool]);
  expect(outcome).toMatchObject({ status: 'error', error: { code: 'SUB_NODE_UNUSABLE' } });
});

const generous = { maxModelCalls: 10, maxToolCalls: 10, maxTokens: 1_000, maxCostUsd: 10 };
/** Prices at which a call costs 9 USD. */
const prices = [
  { model: 'm-*', input: 9, output: 9 },
  { model: 'm-1', input: 1_000_000, output: 3_000_000 },
];

test.each([
  ['model calls', { ...generous, maxModelCalls: 2 }, 'AI_MAX_MODEL_CALLS', 2],
  ['tokens', { ...generous, maxTokens: 8 }, 'AI_MAX_TOKENS', 2],
  ['spending', { ...generous, prices }, 'AI_MAX_COST_USD', 2],
])('the limit on %s stops an endless agent', async (_, aiLimits, setting, calls) => {
  const { outcome, runData } = await runAgent(
    async (context) => {
      const value = await theModel(context);
      for (;;) await value.generate(request, context.signal);
    },
    [],
    { aiLimits },
  );
  expect(outcome).toMatchObject({
    status: 'error',
    error: { code: 'AI_LIMIT_REACHED', description: expect.stringContaining(setting) },
  });
  expect(runData['Model']).toHaveLength(calls);
});

test('the limit on tool calls stops an endless agent', async () => {
  const { outcome } = await runAgent(
    async (context) => {
      const [first] = await context.connected('ai_tool', 0);
      for (;;) await first?.value.run({}, context.signal);
    },
    [tool('t')],
    { aiLimits: { ...generous, maxToolCalls: 3 } },
  );
  expect(outcome).toMatchObject({ error: { code: 'AI_LIMIT_REACHED', message: expect.stringContaining('3 calls of tools') } });
});

/** Model calls that the node sends itself. */
async function callsItself(context: ExecuteContext, count: number, usage: TokenUsage): Promise<string> {
  for (let calls = 0; calls < count; calls += 1)
    await context.modelCall?.({ model: 'm-1', usageOf: () => usage, send: async () => 'hello' });
  return 'done';
}

test.each([
  ['model calls', { ...generous, maxModelCalls: 2 }, 'AI_MAX_MODEL_CALLS'],
  ['tokens', { ...generous, maxTokens: 8 }, 'AI_MAX_TOKENS'],
  ['spending', { ...generous, maxCostUsd: 0.03 }, 'AI_MAX_COST_USD'],
])('calls that a node sends itself count toward the limit on %s', async (_, aiLimits, setting) => {
  const usage = { totalTokens: 5, cost: 0.02 };
  expect((await runAgent((context) => callsItself(context, 2, usage), [], { aiLimits })).outcome.status).toBe('success');
  expect((await runAgent((context) => callsItself(context, 3, usage), [], { aiLimits })).outcome).toMatchObject({
    status: 'error',
    error: { code: 'AI_LIMIT_REACHED', description: expect.stringContaining(setting) },
  });
});

test('a provider that reports negative usage does not raise the limits', async () => {
  const { outcome } = await runAgent(
    async (context) => {
      await callsItself(context, 1, { totalTokens: -1_000, cost: -100 });
      return callsItself(context, 3, { totalTokens: 5 });
    },
    [],
    { aiLimits: { ...generous, maxTokens: 8 } },
  );
  expect(outcome).toMatchObject({ error: { code: 'AI_LIMIT_REACHED' } });
});

test('calls that a node sends itself are added up by model in the metadata of its run', async () => {
  const { runData } = await runAgent(
    async (context) => {
      await callsItself(context, 2, { inputTokens: 3, outputTokens: 2 });
      await context.modelCall?.({ model: 'm-2', usageOf: () => ({ totalTokens: 7, cost: 0.5 }), send: async () => '' });
    },
    [],
    { aiLimits: { ...generous, maxCostUsd: 100, prices } },
  );
  expect(runData['Agent']?.[0]?.metadata).toEqual({
    models: [
      { model: 'm-1', calls: 2, usage: { inputTokens: 6, outputTokens: 4 }, cost: 18 },
      { model: 'm-2', calls: 1, usage: { totalTokens: 7 }, cost: 0.5 },
    ],
  });
});

test('the cost of a call is recorded', async () => {
  const { runData } = await runAgent(
    async (context) => (await (await theModel(context)).generate(request, context.signal)).text,
    [],
    { aiLimits: { ...generous, prices } },
  );
  expect(runData['Model']?.[0]?.metadata).toMatchObject({ usage: { totalTokens: 5 }, cost: 9 });
});

test('the usage of recorded runs counts when an execution resumes after a wait', async () => {
  const first = await runAgent(
    async (context) => {
      await (await theModel(context)).generate(request, context.signal);
      return callsItself(context, 1, { totalTokens: 5 });
    },
    [],
    { aiLimits: generous },
  );
  const done = first.records.filter(({ nodeName }) => nodeName !== 'T').map((record) => ({ ...record, runIndex: 7 }));
  const ask: Ask = (context) => callsItself(context, 1, { totalTokens: 5 });
  const limits = [{ maxModelCalls: 2 }, { maxTokens: 10 }];
  for (const limit of limits)
    expect((await runAgent(ask, [], { aiLimits: { ...generous, ...limit }, done })).outcome).toMatchObject({
      error: { code: 'AI_LIMIT_REACHED' },
    });
  expect((await runAgent(ask, [], { aiLimits: { ...generous, maxModelCalls: 3 }, done })).outcome.status).toBe('success');
});

test('executions with shared limits are counted together: calls before they start, tokens and cost afterwards', async () => {
  const used = { modelCalls: 0, toolCalls: 0, tokens: 0, cost: 0 };
  const counts: unknown[] = [];
  const countAi: RunRequest['countAi'] = async (use) => {
    counts.push(use);
    for (const name of Object.keys(used) as (keyof typeof used)[]) used[name] += use[name];
    return { ...used };
  };
  const ask: Ask = async (context) => {
    await (await theModel(context)).generate(request, context.signal);
    return callsItself(context, 1, { totalTokens: 5, cost: 2 });
  };
  const first = await runAgent(ask, [], { aiLimits: generous, countAi });
  expect(first.outcome.status).toBe('success');
  const nothing = { modelCalls: 0, toolCalls: 0, tokens: 0, cost: 0 };
  const aCall = { ...nothing, modelCalls: 1 };
  expect(counts).toEqual([aCall, { ...nothing, tokens: 5 }, aCall, { ...nothing, tokens: 5, cost: 2 }]);
  const limits = [{ maxModelCalls: 2 }, { maxTokens: 10 }, { maxCostUsd: 2 }];
  for (const limit of limits)
    expect((await runAgent(ask, [], { aiLimits: { ...generous, ...limit }, countAi })).outcome).toMatchObject({
      error: { code: 'AI_LIMIT_REACHED' },
    });
});

test('concurrent calls are counted in order, and calls above the limit are rejected', async () => {
  let modelCalls = 1;
  const countAi: RunRequest['countAi'] = async (use) => {
    modelCalls += use.modelCalls;
    return { modelCalls, toolCalls: 0, tokens: 0, cost: 0 };
  };
  const ask: Ask = async (context) => {
    const requests = [1, 2, 3].map(async () => (await theModel(context)).generate(request, context.signal));
    return (await Promise.allSettled(requests)).map(({ status }) => status).join();
  };
  const { json, order } = await runAgent(ask, [], { aiLimits: { ...generous, maxModelCalls: 3 }, countAi });
  expect(json('Agent')).toEqual([{ result: 'fulfilled,fulfilled,rejected' }]);
  expect(order.filter((name) => name === 'Model')).toHaveLength(2);
});

test('after a stop, no call starts or is recorded', async () => {
  const stop = new AbortController();
  const seen: AbortSignal[] = [];
  const hanging = tool('t', (_, signal) => {
    seen.push(signal);
    stop.abort(new Error('stopped'));
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  });
  const { outcome, order } = await runAgent(
    async (context) => {
      const [first] = await context.connected('ai_tool', 0);
      await first?.value.run({}, new AbortController().signal).catch(() => undefined);
      return first?.value.run({}, context.signal);
    },
    [hanging, tool('u')],
    { signal: stop.signal },
  );
  expect(outcome.status).toBe('aborted');
  expect(seen.map(({ aborted }) => aborted)).toEqual([true]);
  expect(order).toEqual(['T']);
});

test('an error of the recorder ends the run even if the node catches it', async () => {
  const failure = new Error('too large');
  const recorder = {
    nodeFinished: ({ nodeName }: NodeRunRecord) => {
      if (nodeName === 'Tools') throw failure;
    },
  };
  const running = runAgent(
    async (context) => {
      const [first] = await context.connected('ai_tool', 0);
      return first?.value.run({}, context.signal).catch(() => 'caught');
    },
    [tool('t')],
    { recorder },
  );
  await expect(running).rejects.toBe(failure);
});

test('the recorder is notified of the start of each call, and new runs are numbered after recorded runs', async () => {
  const starts: NodeStart[] = [];
  const records: NodeRunRecord[] = [];
  const recorder = {
    nodeStarted: (start: NodeStart) => void starts.push(start),
    nodeFinished: (record: NodeRunRecord) => void records.push(record),
  };
  const done: NodeRunRecord[] = [
    { nodeName: 'Model', runIndex: 0, run: { startTime: 0, executionTime: 0, executionStatus: 'success', source: [] } },
  ];
  await runAgent(async (context) => (await (await theModel(context)).generate(request, context.signal)).text, [], {
    recorder,
    done,
  });
  expect(starts.at(-1)).toEqual({ nodeName: 'Model', runIndex: 1, mayAct: true, isSubRun: true });
  expect(records.map(({ nodeName, runIndex }) => [nodeName, runIndex])).toEqual([
    ['T', 0],
    ['Model', 1],
    ['Agent', 0],
  ]);
});
