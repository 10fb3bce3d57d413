import { afterAll, describe, expect, test } from '@jest/globals';
import type { RunRequest } from '@sluice/engine';
import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { aiEngine } from '../../testing/run-ai.ts';
import type { CalledWorkflows } from '../../testing/run-attempts.ts';
import { type ScriptedAnswer, scriptedModel, supplierType } from '../../testing/scripted-model.ts';

const engine = aiEngine();
afterAll(() => engine.close());

/**
 * An agent whose model returns these answers, with the tool `Find` and a tool `Act`, which counts
 * its calls.
 */
async function runAgent(
  answers: readonly ScriptedAnswer[],
  tool: { typeVersion: number; parameters: JsonObject },
  called: CalledWorkflows,
  overrides: Pick<RunRequest, 'stream'> = {},
) {
  const model = scriptedModel(answers);
  const acted: JsonValue[] = [];
  const act = {
    name: 'act',
    description: 'acts',
    inputSchema: { type: 'object' },
    run: async (input: JsonValue) => acted.push(input),
  };
  const run = await engine.run(
    {
      Agent: { type: 'ai.agent', typeVersion: 3, parameters: {} },
      Model: { type: supplierType('model', 'ai_languageModel', () => model), to: { Agent: 'ai_languageModel' } },
      Act: { type: supplierType('act', 'ai_tool', () => act), to: { Agent: 'ai_tool' } },
      Find: { type: '@n8n/n8n-nodes-langchain.toolWorkflow', to: { Agent: 'ai_tool' }, ...tool },
    },
    [{ chatInput: 'hi', session: 's1' }],
    { called, ...overrides },
  );
  return { ...run, model, acted };
}

const call = (input: JsonValue, name = 'Find'): ScriptedAnswer => ({ calls: [{ name, input }] });
const workflowId = { __rl: true, mode: 'list', value: 'sub', cachedResultName: 'Sub' };

/** The workflow input, and its result as the model receives it. */
async function calledWith(
  typeVersion: number,
  parameters: JsonObject,
  input: JsonValue,
  name = 'Find',
  output: JsonObject[] = [{ ok: true }],
) {
  const got: JsonObject[] = [];
  const sub = (json: JsonObject[]) => {
    got.push(...json);
    return output;
  };
  const tool = { typeVersion, parameters: { workflowId, ...parameters } };
  const { outcome, uses, model } = await runAgent([call(input, name), 'done'], tool, { sub, inline: sub });
  expect(outcome).toMatchObject({ status: 'success' });
  expect(model.requests).toHaveLength(2);
  return {
    got,
    result: uses('Find')[0]?.output,
    schema: model.requests[0]?.tools?.find((one) => one.name === name)?.inputSchema,
  };
}

const mapping = (value: JsonObject, schema: JsonObject[] = []): JsonObject => ({
  workflowInputs: { mappingMode: 'defineBelow', value, schema, attemptToConvertTypes: false, matchingColumns: [] },
});

test('an agent that waits for a workflow continues the same stream', async () => {
  const chunks: unknown[] = [];
  const stream: RunRequest['stream'] = async ({ type, content = null }) => void chunks.push([type, content]);
  const tool = { typeVersion: 2.2, parameters: { workflowId } };
  const { outcome, uses } = await runAgent([call({ query: 'x' }), 'done'], tool, { sub: () => [{ ok: true }] }, { stream });
  expect(outcome).toMatchObject({ status: 'success' });
  expect(uses('Find')).toMatchObject([{ output: { ok: true } }]);
  expect(chunks).toEqual([
    ['begin', null],
    ['item', 'done'],
    ['end', null],
  ]);
});

describe('the input of the workflow', () => {
  test.each([2, 2.1, 2.2])('version %d: the arguments from the model, fixed values, and item values', async (typeVersion) => {
    const value = {
      city: "={{ $fromAI('city', 'a city', 'string') }}",
      days: "={{ $fromAI('days', '', 'number') }}",
      who: '={{ $json.session }}',
      gone: 'x',
    };
    const schema = [
      { id: 'days', type: 'number' },
      { id: 'gone', type: 'string', removed: true },
    ];
    const { got, schema: declared } = await calledWith(typeVersion, mapping(value, schema), { city: 'Rome', days: 3 });
    expect(got).toEqual([{ city: 'Rome', days: 3, who: 's1' }]);
    expect(declared).toEqual({
      type: 'object',
      properties: { city: { type: 'string', description: 'a city' }, days: { type: 'number' } },
      required: ['city', 'days'],
    });
  });

  test('version 2 without inputs: a string', async () => {
    expect((await calledWith(2, {}, { query: 'Rome' })).got).toEqual([{ query: 'Rome' }]);
  });

  test.each([1, 1.1, 1.2, 1.3])('version %d: a string, and the fields of the node', async (typeVersion) => {
    const values = [
      { name: 'session', stringValue: '={{ $json.session }}' },
      { name: 'n', type: 'numberValue', numberValue: '5' },
      { name: 'list', type: 'arrayValue', arrayValue: '[1]' },
    ];
    const parameters = { name: 'find_city', ...(typeVersion === 1 && { workflowId: 'sub' }), fields: { values } };
    const { got } = await calledWith(typeVersion, parameters, { query: 'Rome' }, 'find_city');
    expect(got).toEqual([{ query: 'Rome', session: 's1', n: 5, list: [1] }]);
  });

  test('version 1.3 with a schema: an object', async () => {
    const byExample = { specifyInputSchema: true, jsonSchemaExample: '{"city":"x"}' };
    expect((await calledWith(1.3, byExample, { city: 'Rome' })).got).toEqual([{ query: { city: 'Rome' } }]);
    const inputSchema = '{"type":"object","properties":{"days":{"type":"number"}}}';
    const manual = await calledWith(1.3, { specifyInputSchema: true, schemaType: 'manual', inputSchema }, { days: 2 });
    expect(manual.schema).toMatchObject({ properties: { days: { type: 'number' } } });
  });

  test('a workflow may be defined as JSON', async () => {
    const workflowJson = '{"nodes":[],"connections":{}}';
    expect((await calledWith(1.1, { source: 'parameter', workflowJson }, { query: 'x' })).got).toEqual([{ query: 'x' }]);
  });
});

test.each<[number, JsonObject, JsonObject[], JsonValue]>([
  [1.3, {}, [{ a: 1 }, { response: 'Rome' }], { response: 'Rome' }],
  [1.1, { responsePropertyName: 'body' }, [{ body: { a: 1 } }], { a: 1 }],
  [1.3, {}, [{ a: 1 }], { a: 1 }],
  [2.2, {}, [{ a: 1 }], { a: 1 }],
  [2.2, {}, [{ a: 1 }, { a: 2 }], { response: [{ a: 1 }, { a: 2 }] }],
  [2.2, {}, [], { response: [] }],
])('version %d with %j: the output %j is the result %j', async (typeVersion, parameters, output, result) => {
  expect((await calledWith(typeVersion, parameters, { query: 'x' }, 'Find', output)).result).toEqual(result);
});

test('while the workflow runs, the agent waits; then it continues without repeating a tool or model call', async () => {
  const both = {
    calls: [
      { name: 'act', input: { n: 1 } },
      { name: 'Find', input: { query: 'a' } },
    ],
  };
  const answers = [both, call({ query: 'b' }), call({ n: 2 }, 'act'), 'done'];
  const got: JsonObject[] = [];
  const sub = (json: JsonObject[]) => {
    got.push(...json);
    return [{ got: got.length }];
  };
  const { json, model, acted, uses, records } = await runAgent(
    answers,
    { typeVersion: 2.2, parameters: { workflowId } },
    { sub },
  );
  expect(json('Agent')).toEqual([{ output: 'done' }]);
  expect(got).toEqual([{ query: 'a' }, { query: 'b' }]);
  expect(acted).toEqual([{ n: 1 }, { n: 2 }]);
  expect(model.requests).toHaveLength(4);
  expect(uses('Find').map(({ output }) => output)).toEqual([{ got: 1 }, { got: 2 }]);
  expect(records.filter(({ nodeName }) => nodeName === 'Model')).toHaveLength(4);
});

test('a workflow that fails, or that may not be called, is an error for the model', async () => {
  const broken = () => {
    throw new Error('no stock');
  };
  const { json, model, uses } = await runAgent(
    [call({ query: 'a' }), 'sorry'],
    { typeVersion: 2.2, parameters: { workflowId } },
    { sub: broken },
  );
  expect(json('Agent')).toEqual([{ output: 'sorry' }]);
  expect(uses('Find')).toMatchObject([{ output: 'no stock' }]);
  expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain('The tool failed: no stock');
  const missing = await runAgent(
    [call({ query: 'a' }), 'sorry'],
    { typeVersion: 2.2, parameters: { workflowId: 'other' } },
    {},
  );
  expect(missing.uses('Find')).toMatchObject([{ output: 'there is no workflow other' }]);
});

test('without access to workflows, the tool fails with an explanation', async () => {
  const model = scriptedModel([call({ query: 'a' }), 'sorry']);
  const { uses } = await engine.run({
    Agent: { type: 'ai.agent', typeVersion: 3 },
    Model: { type: supplierType('model', 'ai_languageModel', () => model), to: { Agent: 'ai_languageModel' } },
    Find: { type: 'ai.tool-workflow', typeVersion: 2.2, parameters: { workflowId: 'sub' }, to: { Agent: 'ai_tool' } },
  });
  expect(uses('Find')).toMatchObject([{ output: expect.stringContaining('not supported') }]);
});
