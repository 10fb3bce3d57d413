import { afterAll, expect, test } from '@jest/globals';
import { checkParameters, ModelError, type Tool } from '@sluice/node-sdk';
import { type AiNode, aiEngine } from '../../testing/run-ai.ts';
import { type ScriptedAnswer, scriptedModel, supplierType } from '../../testing/scripted-model.ts';
import { agent } from './agent.ts';

const engine = aiEngine();
afterAll(() => engine.close());

const agentType = '@n8n/n8n-nodes-langchain.agent';

const weather: Tool = {
  name: 'weather',
  description: 'the weather of a city',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  run: async (input) => `sunny in ${(input as { city: string }).city}`,
};

interface Setup {
  tools?: readonly Tool[];
  agent?: Partial<AiNode>;
  more?: Readonly<Record<string, AiNode>>;
  fallback?: readonly ScriptedAnswer[];
}

async function runAgent(
  answers: readonly ScriptedAnswer[],
  { tools = [weather], agent = {}, more = {}, fallback }: Setup = {},
) {
  const model = scriptedModel(answers);
  const other = scriptedModel(fallback ?? ['unused'], 'fallback');
  const nodes: Record<string, AiNode> = {
    Agent: { type: agentType, typeVersion: 2.2, ...agent },
    Model: { type: supplierType('model', 'ai_languageModel', () => model), to: { Agent: 'ai_languageModel' } },
    Tools: { type: supplierType('tools', 'ai_tool', () => tools), to: { Agent: 'ai_tool' } },
    ...(fallback && {
      Other: { type: supplierType('other', 'ai_languageModel', () => other), to: { Agent: 'ai_languageModel' } },
    }),
    ...more,
  };
  return { model, ...(await engine.run(nodes)) };
}

test('the agent calls tools until the model answers, and every call is recorded as a node run, in order', async () => {
  const { json, model, records, uses } = await runAgent([
    { calls: [{ name: 'weather', input: { city: 'Rome' } }] },
    {
      calls: [
        { name: 'weather', input: { city: 'Oslo' } },
        { name: 'weather', input: { city: 'Bern' } },
      ],
    },
    'all sunny',
  ]);
  expect(json('Agent')).toEqual([{ output: 'all sunny' }]);
  expect(records.map(({ nodeName }) => nodeName)).toEqual([
    'Start',
    ...['Model', 'Tools', 'Model', 'Tools', 'Tools', 'Model'],
    'Agent',
  ]);
  expect(uses('Tools').map(({ output }) => output)).toEqual(
    ['Rome', 'Oslo', 'Bern'].map((city) => ({ response: `sunny in ${city}` })),
  );
  expect(model.requests.at(-1)?.messages.map(({ role }) => role)).toEqual([
    ...['system', 'user', 'assistant', 'tool', 'assistant', 'tool'],
  ]);
});

test.each([
  [
    2,
    { status: 'error', error: { code: 'NODE_OPERATION_ERROR', message: 'the agent did not finish within 3 iterations' } },
    [],
  ],
  [1.7, { status: 'success' }, [{ output: 'Agent stopped due to max iterations.' }]],
])('version %s of an agent that never answers ends at its limit', async (typeVersion, outcome, items) => {
  const agent = { typeVersion, parameters: { options: { maxIterations: 3 } } };
  const run = await runAgent([{ calls: [{ name: 'weather', input: { city: 'Rome' } }] }], { agent });
  expect(run.outcome).toMatchObject(outcome);
  expect(run.json('Agent')).toEqual(items);
  expect(run.uses('Model')).toHaveLength(3);
});

test.each<[string, unknown, Tool[], string]>([
  ['an unknown tool', { name: 'none', input: {} }, [weather], 'There is no tool "none". Tools: weather.'],
  ['arguments that do not match', { name: 'weather', input: {} }, [weather], 'The arguments are not valid'],
  ['arguments that are not JSON', { name: 'weather', input: '{"city' }, [weather], 'not valid JSON'],
  [
    'a failing tool',
    { name: 'weather', input: { city: 'x' } },
    [{ ...weather, run: () => Promise.reject(new Error('no such city')) }],
    'The tool failed: no such city',
  ],
])('the model sees the error of %s and continues', async (_, call, tools, text) => {
  const { json, model } = await runAgent([{ calls: [call as never] }, 'sorry'], { tools });
  expect(json('Agent')).toEqual([{ output: 'sorry' }]);
  const result = model.requests[1]?.messages.at(-1)?.content[0];
  expect(result).toMatchObject({ type: 'toolResult', isError: true, output: expect.stringContaining(text) });
});

test('the result of a tool that returns directly is the answer of the agent', async () => {
  const { json, uses } = await runAgent([{ calls: [{ name: 'weather', input: { city: 'Rome' } }] }], {
    tools: [{ ...weather, returnsDirectly: true }],
  });
  expect(json('Agent')).toEqual([{ output: 'sunny in Rome' }]);
  expect(uses('Model')).toHaveLength(1);
});

test('a second model answers if the first fails and the fallback is enabled', async () => {
  const failure = new ModelError('unavailable', 'the provider responded with status 503');
  const agent = { parameters: { needsFallback: true } };
  expect((await runAgent([failure], { agent, fallback: ['from the second'] })).json('Agent')).toEqual([
    { output: 'from the second' },
  ]);
  const without = await runAgent([failure], { fallback: ['unused'] });
  expect(without.outcome).toMatchObject({ error: { code: 'MODEL_FAILED', message: 'the provider responded with status 503' } });
});

test('the model at the second input is the fallback, wherever its node is in the workflow', async () => {
  const [first, second] = [scriptedModel(['from the first']), scriptedModel(['from the second'])];
  const to = { Agent: 'ai_languageModel' };
  const { json } = await engine.run({
    Agent: { type: agentType, typeVersion: 2.2, parameters: { needsFallback: true } },
    Second: { type: supplierType('second', 'ai_languageModel', () => second), to, input: 1 },
    First: { type: supplierType('first', 'ai_languageModel', () => first), to },
  });
  expect(json('Agent')).toEqual([{ output: 'from the first' }]);
});

test('a second model answers if the first fails without an answer', async () => {
  const failed = { ended: 'error', text: '' } as const;
  const agent = { parameters: { needsFallback: true } };
  expect((await runAgent([failed], { agent, fallback: ['from the second'] })).json('Agent')).toEqual([
    { output: 'from the second' },
  ]);
  expect((await runAgent([failed])).outcome).toMatchObject({
    error: { code: 'MODEL_FAILED', description: expect.stringContaining('try again') },
  });
});

const parserNode: AiNode = {
  type: '@n8n/n8n-nodes-langchain.outputParserStructured',
  typeVersion: 1.3,
  parameters: { jsonSchemaExample: '{"city":"x","degrees":1}' },
  to: { Agent: 'ai_outputParser' },
};

test('a truncated answer is an error for an output parser, not parsed', async () => {
  const cut = { ended: 'length', text: '{"city":"Rome","degrees":2' } as const;
  const message = 'the model used all of its tokens before it had answered';
  expect((await runAgent([cut], { more: { Parser: parserNode } })).outcome).toMatchObject({ error: { message } });
  expect((await runAgent([cut])).json('Agent')).toEqual([{ output: cut.text }]);
});

test('a parser without an example uses the example that editors show', async () => {
  const Parser: AiNode = { ...parserNode, parameters: {} };
  const answers = ['{"city":"Rome"}', '{"state":"Utah","cities":["Provo"]}'];
  expect((await runAgent(answers, { more: { Parser } })).json('Agent')).toEqual([
    { output: { state: 'Utah', cities: ['Provo'] } },
  ]);
});

test('an output parser that the node turns off is not used', async () => {
  const agent = { parameters: { hasOutputParser: false } };
  const { json, uses } = await runAgent(['plain text'], { agent, more: { Parser: parserNode } });
  expect(json('Agent')).toEqual([{ output: 'plain text' }]);
  expect(uses('Parser')).toEqual([]);
});

test('an answer that the output parser rejects is returned to the model', async () => {
  const answers = ['it is warm', '{"city":"Rome"}', '```json\n{"city":"Rome","degrees":21}\n```'];
  const { json, uses, model } = await runAgent(answers, { more: { Parser: parserNode } });
  expect(json('Agent')).toEqual([{ output: { city: 'Rome', degrees: 21 } }]);
  expect(uses('Parser')).toHaveLength(3);
  expect(model.requests[2]?.messages.at(-1)?.content).toContain('degrees');
});

test('intermediate steps are part of the output if enabled', async () => {
  const agent = { parameters: { options: { returnIntermediateSteps: true } } };
  const { json } = await runAgent([{ calls: [{ name: 'weather', input: { city: 'Rome' } }] }, 'done'], { agent });
  expect(json('Agent')[0]).toMatchObject({
    output: 'done',
    intermediateSteps: [{ action: { tool: 'weather', toolInput: { city: 'Rome' } }, observation: 'sunny in Rome' }],
  });
});

test.each([2.3, 3, 3.1])('version %d has the parameters of version 2 and behaves the same', async (typeVersion) => {
  const parameters = {
    promptType: 'define',
    text: '={{ $json.chatInput }}',
    hasOutputParser: false,
    needsFallback: false,
    options: { systemMessage: 'Be brief.', maxTokensFromMemory: 100, batching: { batchSize: 1 } },
  };
  expect(checkParameters(agent, parameters, typeVersion)).toEqual([]);
  const { json, model } = await runAgent(['done'], { agent: { typeVersion, parameters } });
  expect(json('Agent')).toEqual([{ output: 'done' }]);
  expect(model.requests[0]?.messages).toMatchObject([{ role: 'system', content: 'Be brief.' }, { role: 'user' }]);
});

test('an older kind of agent runs as a tools agent with a notice; a SQL agent is rejected', async () => {
  const older = await runAgent(['hello'], { agent: { typeVersion: 1.5, parameters: { agent: 'reActAgent' } } });
  expect(older.json('Agent')).toEqual([{ output: 'hello' }]);
  expect(older.records.at(-1)?.run.hints?.[0]?.message).toContain('runs as a tools agent');
  const sql = await runAgent(['hello'], { agent: { typeVersion: 1.5, parameters: { agent: 'sqlAgent' } } });
  expect(sql.outcome).toMatchObject({ error: { code: 'NOT_SUPPORTED' } });
});

test('the prompt is the text, or the field of a chat trigger; without both, the error explains it', async () => {
  const defined = await runAgent(['x'], {
    agent: { parameters: { promptType: 'define', text: '=about {{ $json.chatInput }}' } },
  });
  expect(defined.model.requests[0]?.messages.at(-1)?.content).toBe('about hi');
  const auto = await runAgent(['x']);
  expect(auto.model.requests[0]?.messages.at(-1)?.content).toBe('hi');
  const none = await runAgent(['x'], { agent: { parameters: { promptType: 'define', text: '={{ $json.none }}' } } });
  expect(none.outcome).toMatchObject({ error: { message: 'there is no prompt' } });
});

test('tools with the same name get distinct names', async () => {
  const { model } = await runAgent(['x'], { tools: [weather, { ...weather, run: async () => 'second' }] });
  expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(['weather', 'weather_2']);
});

test('the calculator and the code tool run in the sandbox, next to the think tool', async () => {
  const tool = (type: string, parameters = {}): AiNode => ({
    type: `@n8n/n8n-nodes-langchain.${type}`,
    parameters,
    to: { Agent: 'ai_tool' },
  });
  const code = tool('toolCode', { description: 'upper case', jsCode: 'return query.toUpperCase() + typeof process;' });
  const { json, uses } = await runAgent(
    [
      {
        calls: [
          { name: 'calculator', input: { input: '(2 + 3)^2 * sqrt(16)' } },
          { name: 'calculator', input: { input: 'fetch(1)' } },
          { name: 'Shout', input: { query: 'abc' } },
          { name: 'Think', input: { input: 'hm' } },
        ],
      },
      'done',
    ],
    { tools: [], more: { Calc: tool('toolCalculator'), Shout: code, Think: { ...tool('toolThink'), typeVersion: 1.1 } } },
  );
  expect(json('Agent')).toEqual([{ output: 'done' }]);
  const outputs = uses('Calc').map(({ output }) => output);
  expect(outputs).toContainEqual({ response: '100' });
  expect(outputs).toContainEqual(expect.stringContaining('not an arithmetic expression'));
  expect(uses('Shout')[0]?.output).toEqual({ response: 'ABCundefined' });
  expect(uses('Think')[0]?.output).toEqual({ response: 'hm' });
});
