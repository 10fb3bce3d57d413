import { expect, test } from '@jest/globals';
import type { CallableWorkflow, Connections, Item, JsonValue, NodeRunRecord, WorkflowRunResult } from '@sluice/domain';
import { type ExecuteContext, NodeOperationError, type NodeType, type Tool } from '@sluice/node-sdk';
import type { RunOutcome, RunRequest } from '../ports.ts';
import { graphOf, type NodeSpec, runGraph, type TestRun, testEngine } from '../testing/run-graph.ts';
import { asItems, testType } from '../testing/test-nodes.ts';

type Run = (input: JsonValue, context: ExecuteContext) => Promise<JsonValue>;

/** A type that supplies a tool, whose runs can use the tools connected to it. */
const toolType = (name: string, run: Run): NodeType => ({
  ...testType(name, () => []),
  supply: (context: ExecuteContext): Tool => ({
    name,
    description: name,
    inputSchema: { type: 'object' },
    run: (input) => run(input, context),
  }),
});

const toolOf = async (context: ExecuteContext, index = 0, item = 0) =>
  (await context.connected('ai_tool', item))[index]?.value as Tool;
const use = async (context: ExecuteContext, input: JsonValue, index = 0, item = 0) =>
  (await toolOf(context, index, item)).run(input, context.signal);

type Ask = (context: ExecuteContext) => Promise<unknown>;

/** `Agent` runs `ask`, with tools `Outer` and `Other`; `Outer` has the tool `Inner`. */
function workflowOf(ask: Ask, tools: { Outer?: Run; Other?: Run; Inner?: Run }, agent: NodeSpec = {}) {
  let clock = 0;
  const engine = { ...testEngine(), now: () => ++clock };
  const asker = testType('asker', async (context) => [asItems({ result: (await ask(context)) as string })]);
  engine.types.set('base.asker', asker);
  for (const [name, run] of Object.entries(tools)) engine.types.set(`base.${name}`, toolType(name, run));
  const to = (node: string) => ({ ai_tool: [[{ node, type: 'ai_tool', index: 0 }]] });
  const all: Record<string, string> = { Outer: 'Agent', Other: 'Agent', Inner: 'Outer' };
  const present = Object.keys(tools);
  const attached: Connections = Object.fromEntries(present.map((name) => [name, to(all[name] ?? '')]));
  const { connections } = graphOf(['T -> Agent']);
  const nodes = Object.fromEntries(present.map((name) => [name, { type: name }]));
  const graph = graphOf(
    ['T -> Agent'],
    { T: { type: 'emit' }, Agent: { type: 'asker', ...agent }, ...nodes },
    {
      connections: { ...connections, ...attached },
    },
  );
  return (overrides: Partial<RunRequest> = {}) => runGraph(graph, overrides, engine);
}

/** The records after a crash: all records before the run of `Agent`. */
const interrupted = (records: readonly NodeRunRecord[]) => records.filter(({ nodeName }) => nodeName !== 'Agent');

test('a node run that did not end gets the recorded results of its calls without repeating them', async () => {
  const seen: JsonValue[] = [];
  const run = workflowOf(async (context) => [await use(context, { q: 1 }), await use(context, { q: 2 })].join(), {
    Outer: async (input) => {
      seen.push(input);
      return `answer ${seen.length}`;
    },
  });
  const first = await run();
  const crashed = interrupted(first.records).slice(0, -1);
  const second = await run({ done: crashed });
  expect(second.json('Agent')).toEqual([{ result: 'answer 1,answer 3' }]);
  expect(seen).toEqual([{ q: 1 }, { q: 2 }, { q: 2 }]);
  expect(second.records.map(({ nodeName, runIndex }) => [nodeName, runIndex])).toEqual([
    ['Outer', 1],
    ['Agent', 0],
  ]);
  expect(second.runData['Outer']?.at(-1)?.metadata).toMatchObject({ step: 2 });
});

test.each<[string, Ask]>([
  ['another input', (context) => use(context, { q: 2 })],
  ['another item', (context) => use(context, { q: 1 }, 0, 1)],
])('a call with %s is not replayed', async (_, again) => {
  let isAgain = false;
  let count = 0;
  const run = workflowOf((context) => (isAgain ? again(context) : use(context, { q: 1 })), { Outer: async () => ++count });
  const { records } = await run();
  isAgain = true;
  expect((await run({ done: interrupted(records) })).json('Agent')).toEqual([{ result: 2 }]);
});

test('a retry with a changed workflow does not replay the result for another item', async () => {
  const seen: JsonValue[] = [];
  const run = workflowOf((context) => use(context, { q: 1 }), {
    Outer: async (_, context) => {
      const { id = null } = context.items()[0]?.json ?? {};
      seen.push(id);
      return id;
    },
  });
  const emitting = (id: number) => ({ start: { trigger: { node: 'T', output: 0, items: [{ json: { id } }] } } });
  const first = await run(emitting(1) as never);
  const outerRuns = first.records.filter(({ nodeName }) => nodeName === 'Outer');
  expect((await run({ ...(emitting(1) as object), done: outerRuns })).json('Agent')).toEqual([{ result: 1 }]);
  expect((await run({ ...(emitting(2) as object), done: outerRuns })).json('Agent')).toEqual([{ result: 2 }]);
  expect(seen).toEqual([1, 2]);
});

test('a call is replayed even though the records of its item and its input have no secrets', async () => {
  let count = 0;
  const run = workflowOf((context) => use(context, context.items()[0]?.json ?? null), { Outer: async () => ++count });
  const refuse = () => Promise.reject(new Error('no credentials in this test'));
  const withoutSecrets = (json: string) => json.replaceAll('s3cret', '***');
  const credentials = { open: refuse, authentication: refuse, hide: () => {}, withoutSecrets };
  const start: object = { trigger: { node: 'T', output: 0, items: [{ json: { token: 's3cret' } }] } };
  const first = await run({ start, credentials });
  const done = JSON.parse(withoutSecrets(JSON.stringify(interrupted(first.records)))) as NodeRunRecord[];
  expect((await run({ start, credentials, done })).json('Agent')).toEqual([{ result: 1 }]);
  expect(count).toBe(1);
});

test('equal calls are replayed as often as they were made', async () => {
  let count = 0;
  const thrice = workflowOf(async (context) => [await use(context, 1), await use(context, 1), await use(context, 1)].join(), {
    Outer: async () => ++count,
  });
  const { records } = await thrice();
  expect((await thrice({ done: interrupted(records).slice(0, -1) })).json('Agent')).toEqual([{ result: '1,2,4' }]);
});

test('a failed call is replayed as its error', async () => {
  let count = 0;
  const run = workflowOf(
    (context) => use(context, 1).catch((error: NodeOperationError) => `${error.message} ${error.description}`),
    {
      Outer: async () => Promise.reject(new NodeOperationError(`no ${++count}`, { description: 'hint' })),
    },
  );
  const { records } = await run();
  expect((await run({ done: interrupted(records) })).json('Agent')).toEqual([{ result: 'no 1 hint' }]);
});

test('results that are not objects are restored, but a call that returned bytes is repeated, since bytes are not recorded', async () => {
  let count = 0;
  const results: JsonValue[] = ['text', [1, 2], { response: 'object' }, null];
  const run = workflowOf(
    async (context) => {
      const got = [];
      for (const index of results.keys()) got.push(await use(context, index));
      const { bytes } = (await use(context, 9)) as unknown as { bytes: Uint8Array };
      return [...got, bytes.length];
    },
    {
      Outer: async (input) =>
        input === 9 ? ({ bytes: new Uint8Array(++count) } as unknown as JsonValue) : (results[Number(input)] ?? null),
    },
  );
  const { records } = await run();
  const again = await run({ done: interrupted(records) });
  expect(again.json('Agent')[0]?.['result']).toEqual([...results, 2]);
});

test('the results of a nested call are kept, even if the outer call did not end', async () => {
  const inner: JsonValue[] = [];
  const stop = new AbortController();
  let first: TestRun | undefined;
  const run = workflowOf((context) => use(context, 'out'), {
    Outer: async (_, context) => {
      const got = await use(context, 'in');
      if (!stop.signal.aborted) stop.abort(new Error('crash'));
      if (inner.length === 1 && first === undefined) stop.signal.throwIfAborted();
      return got;
    },
    Inner: async (input) => inner.push(input),
  });
  first = await run({ signal: stop.signal });
  expect(first.order).toEqual(['T', 'Inner']);
  expect((await run({ done: first.records })).json('Agent')).toEqual([{ result: 1 }]);
  expect(inner).toEqual(['in']);
});

test('an interrupted node run keeps its time and therefore its prompts', async () => {
  const twice = workflowOf(async (context) => [await use(context, 1), await use(context, 2)].join(), { Outer: async () => 1 });
  const sinceIn = ({ records }: TestRun) =>
    records.filter(({ nodeName }) => nodeName === 'Outer').map(({ run }) => run.metadata?.['since']);
  const first = await twice();
  const [since] = sinceIn(first);
  expect(since).toEqual(expect.any(Number));
  expect(sinceIn(await twice({ done: interrupted(first.records).slice(0, -1) }))).toEqual([since]);
  expect(sinceIn(await twice())).not.toContain(since);
});

test('recorded calls count toward the limits of the execution', async () => {
  let count = 0;
  const run = workflowOf(async (context) => [await use(context, 1), await use(context, 2)].join(), {
    Outer: async () => ++count,
  });
  const aiLimits = { maxModelCalls: 9, maxToolCalls: 2, maxTokens: 9, maxCostUsd: 9 };
  const { records, outcome } = await run({ aiLimits });
  expect(outcome.status).toBe('success');
  const done = interrupted(records);
  expect((await run({ aiLimits, done })).outcome.status).toBe('success');
  expect((await run({ aiLimits: { ...aiLimits, maxToolCalls: 1 }, done: done.slice(0, -1) })).outcome).toMatchObject({
    error: { code: 'AI_LIMIT_REACHED' },
  });
});

const callee: CallableWorkflow = { id: 'callee', name: 'Callee', graphHash: 'h', returnsAllRuns: false };
const workflows = {
  find: async () => callee,
  define: async () => callee,
  current: () => ({ workflow: callee }),
  start: async () => [],
};
const calling: Run = async (input, context) => {
  const result = await context.callWorkflow?.({ workflow: callee, items: [{ json: { input } }] });
  if (result?.status !== 'success')
    throw new NodeOperationError(result?.status === 'failed' ? result.error.message : 'skipped');
  return result.items.map(({ json }) => json);
};
const inputsOf = ({ items }: { items: readonly Item[] }) => items.map(({ json }) => json['input']);

/** Runs a workflow attempt by attempt. Each called workflow returns `answer`. */
async function attempts(
  run: (overrides: Partial<RunRequest>) => Promise<TestRun>,
  answer: (input: JsonValue | undefined, index: number) => WorkflowRunResult,
) {
  const done: NodeRunRecord[] = [];
  const called: (JsonValue | undefined)[][] = [];
  let resumed: RunRequest['resumed'];
  for (;;) {
    const last = await run({ done: [...done], workflows, ...(resumed && { resumed }) });
    done.push(...last.records);
    const outcome: RunOutcome = last.outcome;
    if (outcome.status !== 'waiting' || outcome.suspension.kind !== 'workflows') return { last, called, done };
    const inputs = outcome.suspension.runs.flatMap(inputsOf);
    called.push(inputs);
    const results = inputs.map((input, index) => answer(input, index));
    resumed = { ...outcome.suspended, event: { kind: 'workflows', results } };
  }
}
const succeeded = (json: Item['json']): WorkflowRunResult => ({ executionId: '9', status: 'success', items: [{ json }] });

test('a call that runs a workflow suspends its node, then returns the result while other calls are replayed', async () => {
  const acted: JsonValue[] = [];
  const run = workflowOf(
    async (context) => {
      const before = await use(context, 'a', 1);
      return JSON.stringify([before, await use(context, 'b'), await use(context, 'c', 1), await use(context, 'b')]);
    },
    { Outer: calling, Other: async (input) => acted.push(input) },
  );
  let count = 0;
  const { last, called, done } = await attempts(run, () => succeeded({ n: ++count }));
  expect(last.json('Agent')).toEqual([{ result: '[1,[{"n":1}],2,[{"n":2}]]' }]);
  expect(called).toEqual([['b'], ['b']]);
  expect(acted).toEqual(['a', 'c']);
  expect(done.map(({ nodeName }) => nodeName)).toEqual(['T', 'Other', 'Outer', 'Other', 'Outer', 'Agent']);
  expect(done[2]?.run.metadata).toMatchObject({ subExecution: { executionId: '9', workflowId: 'callee' } });
});

test('concurrent calls suspend together once other concurrent calls have ended', async () => {
  const slow = Promise.withResolvers<JsonValue>();
  const run = workflowOf(
    async (context) => {
      const all = [use(context, 1), use(context, 2), use(context, 2), use(context, 'slow', 1)];
      setImmediate(() => setImmediate(() => setImmediate(() => slow.resolve('done'))));
      return JSON.stringify(await Promise.all(all));
    },
    { Outer: calling, Other: () => slow.promise },
  );
  const { last, called, done } = await attempts(run, (input, index) => succeeded({ input: input ?? null, index }));
  expect(called).toEqual([[1, 2, 2]]);
  const parts = [[{ input: 1, index: 0 }], [{ input: 2, index: 1 }], [{ input: 2, index: 2 }], 'done'];
  expect(JSON.parse(String(last.json('Agent')[0]?.['result']))).toEqual(parts);
  expect(done.filter(({ nodeName }) => nodeName === 'Other')).toHaveLength(1);
});

test('a nested call can call a workflow', async () => {
  const run = workflowOf((context) => use(context, 'out'), {
    Outer: async (_, context) => [await use(context, 'in'), await use(context, 'in')].flat() as JsonValue,
    Inner: calling,
  });
  let count = 0;
  const { last, called } = await attempts(run, () => succeeded({ n: ++count }));
  expect(called).toEqual([['in'], ['in']]);
  expect(last.json('Agent')).toEqual([{ result: [{ n: 1 }, { n: 2 }] }]);
});

const trying: NodeSpec = { retryOnFail: true, waitBetweenTries: 0 };

test('a try that waited for a workflow gets the recorded results of its own calls, not of calls in the previous try', async () => {
  let count = 0;
  const run = workflowOf(
    async (context) => {
      const answer = await use(context, 'ask', 1);
      if (answer === 1) throw new Error('not this answer');
      return JSON.stringify([answer, await use(context, 'call')]);
    },
    { Outer: calling, Other: async () => ++count },
    { ...trying, maxTries: 2 },
  );
  const { last, called } = await attempts(run, () => succeeded({ n: 9 }));
  expect(last.json('Agent')).toEqual([{ result: '[2,[{"n":9}]]' }]);
  expect(called).toEqual([['call']]);
});

test('a call that is concurrent with the failure of its try does not suspend the next try', async () => {
  let tries = 0;
  const nextTry = Promise.withResolvers<void>();
  const run = workflowOf(
    async (context) => {
      tries += 1;
      if (tries === 1) await Promise.all([use(context, 'before'), use(context, 'after'), use(context, 'fail', 1)]);
      nextTry.resolve();
      for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
      return use(context, 'ok', 1);
    },
    {
      Outer: async (input, context) => {
        if (input === 'after') await nextTry.promise;
        return calling(input, context);
      },
      Other: async (input) => (input === 'fail' ? Promise.reject(new Error('failed')) : input),
    },
    trying,
  );
  const { last, called } = await attempts(run, () => succeeded({}));
  expect(called).toEqual([]);
  expect(last.json('Agent')).toEqual([{ result: 'ok' }]);
});

test('a call that is pending after a failure does not block calls in the next try', async () => {
  let tries = 0;
  const run = workflowOf(
    async (context) => {
      tries += 1;
      if (tries === 1) await Promise.all([use(context, 'call'), use(context, 'fail', 1)]);
      return use(context, 'ok', 1);
    },
    { Outer: calling, Other: async (input) => (input === 'fail' ? Promise.reject(new Error('failed')) : input) },
    { retryOnFail: true, waitBetweenTries: 20 },
  );
  const { last, called } = await attempts(run, () => succeeded({}));
  expect(called).toEqual([]);
  expect(last.json('Agent')).toEqual([{ result: 'ok' }]);
});

test('a call that waits for workflows and its outer call count once toward shared limits', async () => {
  const run = workflowOf(async (context) => JSON.stringify([await use(context, 'out'), await use(context, 'more', 1)]), {
    Outer: async (_, context) => [await use(context, 'in'), await use(context, 'in')].flat() as JsonValue,
    Inner: calling,
    Other: async () => 'other',
  });
  let toolCalls = 10;
  const usedBefore: number[] = [];
  const countAi: RunRequest['countAi'] = async (count, before) => {
    toolCalls += count.toolCalls;
    usedBefore.push(before.toolCalls);
    return { modelCalls: 0, toolCalls, tokens: 0, cost: 0 };
  };
  const aiLimits = { maxModelCalls: 9, maxToolCalls: 14, maxTokens: 9, maxCostUsd: 9 };
  const { last } = await attempts(
    (overrides) => run({ ...overrides, aiLimits, countAi }),
    () => succeeded({ n: 1 }),
  );
  expect(last.outcome).toMatchObject({ status: 'success' });
  expect(toolCalls).toBe(14);
  expect(usedBefore).toEqual([0, 0, 2, 3]);
});

test('the failure of a called workflow is an error of the call', async () => {
  const run = workflowOf((context) => use(context, 1).catch((error: Error) => error.message), { Outer: calling });
  const { last } = await attempts(run, () => ({ executionId: '9', status: 'failed', error: { message: 'it broke' } }));
  expect(last.json('Agent')).toEqual([{ result: 'it broke' }]);
});

test('after a crash at any point, recorded calls are not repeated, and the result is the same', async () => {
  const calls = ['a', 'b', 'a', 'c', 'b', 'a'];
  const make = (acted: JsonValue[]) =>
    workflowOf(
      async (context) => {
        const got: JsonValue[] = [];
        for (const call of calls) got.push(await use(context, [call, got]));
        return got.join();
      },
      {
        Outer: async (input, context) => `${await use(context, input)}!`,
        Inner: async (input) => {
          acted.push(input);
          return `${(input as JsonValue[])[0]}${acted.length}`;
        },
      },
    );
  const whole = await make([])();
  for (let keptCount = 0; keptCount <= interrupted(whole.records).length; keptCount += 1) {
    const done = interrupted(whole.records).slice(0, keptCount);
    const finished = done.filter(({ nodeName }) => nodeName === 'Inner').length;
    const acted: JsonValue[] = new Array(finished).fill('before');
    const { json } = await make(acted)({ done });
    expect(json('Agent')).toEqual(whole.json('Agent'));
    expect(acted).toHaveLength(calls.length);
  }
});
