import { afterAll, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue, Tool } from '@sluice/node-sdk';
import { type AiRun, aiEngine } from '../../testing/run-ai.ts';
import { type ScriptedAnswer, scriptedModel, supplierType } from '../../testing/scripted-model.ts';

const engine = aiEngine();
afterAll(() => engine.close());

const look: Tool = {
  name: 'look',
  description: 'looks something up',
  inputSchema: { type: 'object' },
  run: async (input) => ({ seen: input }),
};

type Overrides = Parameters<typeof engine.run>[2];

/** `Agent` with the tool `Helper`, an agent with the tool `look`. */
async function runAgents(
  outer: readonly ScriptedAnswer[],
  inner: readonly ScriptedAnswer[],
  { helper = {}, overrides = {}, typeVersion = 2.2 }: { helper?: JsonObject; overrides?: Overrides; typeVersion?: number } = {},
) {
  const models = { outer: scriptedModel(outer, 'outer'), inner: scriptedModel(inner, 'inner') };
  const model = (name: 'outer' | 'inner', to: string) => ({
    type: supplierType(`model-${name}`, 'ai_languageModel', () => models[name]),
    to: { [to]: 'ai_languageModel' },
  });
  const run: AiRun = await engine.run(
    {
      Agent: { type: 'ai.agent', typeVersion: 3 },
      Model: model('outer', 'Agent'),
      Helper: { type: '@n8n/n8n-nodes-langchain.agentTool', typeVersion, parameters: helper, to: { Agent: 'ai_tool' } },
      Thinker: model('inner', 'Helper'),
      Look: { type: supplierType('look', 'ai_tool', () => look), to: { Helper: 'ai_tool' } },
    },
    [{ chatInput: 'hi', city: 'Rome' }],
    overrides,
  );
  return { ...run, models };
}

const ask = (input: JsonValue): ScriptedAnswer => ({ calls: [{ name: 'Helper', input }] });
const lookUp: ScriptedAnswer = { calls: [{ name: 'look', input: { q: 1 } }] };
const task = { text: "={{ $fromAI('task', 'what to do', 'string') }}", options: { systemMessage: '=In {{ $json.city }}' } };

test.each([2.2, 3])(
  'version %d: the agent gets a prompt of the model, calls its own tools, and returns its answer',
  async (typeVersion) => {
    const { json, uses, models } = await runAgents([ask({ task: 'find it' }), 'done'], [lookUp, 'found'], {
      helper: task,
      typeVersion,
    });
    expect(json('Agent')).toEqual([{ output: 'done' }]);
    expect(uses('Helper')).toEqual([{ use: 'run', input: { task: 'find it' }, output: { response: 'found' } }]);
    expect(models.inner.requests[0]?.messages).toEqual([
      { role: 'system', content: 'In Rome' },
      { role: 'user', content: 'find it' },
    ]);
    expect(models.outer.requests[0]?.tools).toMatchObject([
      { name: 'Helper', description: 'AI Agent that can call other tools', inputSchema: { required: ['task'] } },
    ]);
  },
);

test('the calling model writes the prompt if the node has no prompt', async () => {
  const { models } = await runAgents([ask({ prompt: 'look at Rome' }), 'done'], ['ok'], {
    helper: { toolDescription: 'helps' },
  });
  expect(models.outer.requests[0]?.tools).toMatchObject([{ description: 'helps', inputSchema: { required: ['prompt'] } }]);
  expect(models.inner.requests[0]?.messages.at(-1)?.content).toBe('look at Rome');
});

test('its steps are node runs within the run of the tool', async () => {
  const { records } = await runAgents([ask({ task: 'a' }), 'done'], [lookUp, 'found'], { helper: task });
  const runs = records.filter(({ nodeName }) => nodeName !== 'Start' && nodeName !== 'Agent');
  expect(runs.map(({ nodeName, run }) => [run.metadata?.['step'], nodeName, run.source[0]?.previousNode])).toEqual([
    [1, 'Model', 'Agent'],
    [3, 'Thinker', 'Helper'],
    [4, 'Look', 'Helper'],
    [5, 'Thinker', 'Helper'],
    [2, 'Helper', 'Agent'],
    [6, 'Model', 'Agent'],
  ]);
});

test('the execution limits apply to it', async () => {
  const aiLimits = { maxModelCalls: 3, maxToolCalls: 9, maxTokens: 1_000, maxCostUsd: 9 };
  const { outcome } = await runAgents([ask({ task: 'a' }), 'done'], [lookUp], { helper: task, overrides: { aiLimits } });
  expect(outcome).toMatchObject({ status: 'error', error: { code: 'AI_LIMIT_REACHED' } });
});

test('an agent that does not finish is an error for the calling model', async () => {
  const helper = { ...task, options: { maxIterations: 2 } };
  const { json, uses } = await runAgents([ask({ task: 'a' }), 'sorry'], [lookUp], { helper });
  expect(json('Agent')).toEqual([{ output: 'sorry' }]);
  expect(uses('Helper')).toMatchObject([{ output: 'the agent did not finish within 2 iterations' }]);
});

test('its text is not streamed to the reader', async () => {
  const chunks: unknown[] = [];
  const overrides = { stream: async ({ content }: { content?: unknown }) => void chunks.push(content) };
  await runAgents([ask({ task: 'a' }), 'for you'], ['for the agent'], { helper: task, overrides });
  expect(chunks.filter((content) => content !== undefined).join('')).toBe('for you');
});

test('after a crash within the agent, completed tool calls are not repeated', async () => {
  let looks = 0;
  const counting = { ...look, run: async () => ++looks };
  const inner = scriptedModel([lookUp, 'found'], 'inner');
  const outer = scriptedModel([ask({ task: 'a' }), 'done'], 'outer');
  const run = (overrides: Overrides) =>
    engine.run(
      {
        Agent: { type: 'ai.agent', typeVersion: 3 },
        Model: { type: supplierType('outer', 'ai_languageModel', () => outer), to: { Agent: 'ai_languageModel' } },
        Helper: { type: 'ai.agent-tool', typeVersion: 2.2, parameters: task, to: { Agent: 'ai_tool' } },
        Thinker: { type: supplierType('inner', 'ai_languageModel', () => inner), to: { Helper: 'ai_languageModel' } },
        Look: { type: supplierType('look', 'ai_tool', () => counting), to: { Helper: 'ai_tool' } },
      },
      [{ chatInput: 'hi', city: 'Rome' }],
      overrides,
    );
  const { records } = await run({});
  const done = records.slice(0, records.findIndex(({ nodeName }) => nodeName === 'Look') + 1);
  const again = await run({ done });
  expect(again.outcome.status).toBe('success');
  expect(looks).toBe(1);
  expect(again.records.map(({ nodeName }) => nodeName)).toEqual(['Thinker', 'Helper', 'Model', 'Agent']);
});
