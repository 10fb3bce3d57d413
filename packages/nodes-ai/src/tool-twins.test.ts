import { afterAll, expect, test } from '@jest/globals';
import { checkParameters, fromAiSchema, type JsonObject, type NodeType } from '@sluice/node-sdk';
import { baseNodeTypes, createNodeTypeRegistry } from '@sluice/nodes-base';
import { longestBusy } from '@sluice/test-support';
import { withAiTypes } from './ai-node-types.ts';
import { anthropicApi } from './testing/anthropic-api.ts';
import { geminiApi } from './testing/gemini-api.ts';
import { ollamaFormat } from './testing/ollama-format.ts';
import { openAiApi } from './testing/open-ai-api.ts';
import { providerServer, type WireFormat } from './testing/provider-server.ts';
import { aiEngine } from './testing/run-ai.ts';
import { scriptedModel, supplierType } from './testing/scripted-model.ts';

const engine = aiEngine();
const types = withAiTypes(createNodeTypeRegistry(baseNodeTypes));
const keys: Record<string, JsonObject> = {};
const vendors = aiEngine(keys);
afterAll(() => Promise.all([engine.close(), vendors.close()]));

test.each(['n8n-nodes-base.cryptoTool', 'base.crypto-tool'])(
  '%s runs for each call with the arguments of the model',
  async (type) => {
    const model = scriptedModel([
      { calls: ['abc', 'x'].map((value) => ({ name: 'Hash', input: { Text: value } })) },
      { calls: [{ name: 'Hash', input: {} }] },
      'done',
    ]);
    const value = "={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('Text', `what to hash`, 'string') + $json.suffix }}";
    const { json, uses } = await engine.run(
      {
        Agent: { type: 'ai.agent', typeVersion: 2 },
        Model: { type: supplierType('model', 'ai_languageModel', () => model), to: { Agent: 'ai_languageModel' } },
        Hash: { type, parameters: { action: 'hash', type: 'MD5', value, toolDescription: 'hashes' }, to: { Agent: 'ai_tool' } },
      },
      [{ chatInput: 'hi', suffix: '' }],
    );
    expect(json('Agent')).toEqual([{ output: 'done' }]);
    expect(
      uses('Hash')
        .map(({ output }) => (output as { data?: string }).data)
        .toSorted(),
    ).toEqual(['900150983cd24fb0d6963f7d28e17f72', '9dd4e461268c8034f5c8564e155c67a6'].toSorted());
    expect(model.requests[0]?.tools).toEqual([
      {
        name: 'Hash',
        description: 'hashes',
        inputSchema: {
          type: 'object',
          properties: { Text: { type: 'string', description: 'what to hash' } },
          required: ['Text'],
        },
      },
    ]);
    expect(JSON.stringify(model.requests[2]?.messages.at(-1))).toContain('The arguments are not valid');
  },
);

test.each<[JsonObject, string, string[]]>([
  [{ toolDescription: 'hashes' }, 'hashes', []],
  [{ descriptionType: 'manual', toolDescription: 'hashes' }, 'hashes', []],
  [{ descriptionType: 'manual' }, 'Runs the node "Hash"', []],
  [{}, 'Runs the node "Hash"', []],
  [{ descriptionType: 'auto', toolDescription: 'hashes' }, 'Runs the node "Hash"', ['toolDescription']],
])('with %j, the description is %j, and the parameter check agrees', async (description, expected, unused) => {
  const parameters = { action: 'hash', type: 'MD5', value: 'x', ...description };
  const model = scriptedModel(['done']);
  await engine.run({
    Agent: { type: 'ai.agent', typeVersion: 2 },
    Model: { type: supplierType('model', 'ai_languageModel', () => model), to: { Agent: 'ai_languageModel' } },
    Hash: { type: 'n8n-nodes-base.cryptoTool', parameters, to: { Agent: 'ai_tool' } },
  });
  expect(model.requests[0]?.tools?.[0]?.description).toBe(expected);
  const twin = types.find('n8n-nodes-base.cryptoTool') as NodeType;
  expect(checkParameters(twin, parameters, 1, { onSave: true }).map(({ path }) => path)).toEqual(unused);
});

test.each([
  ["={{ $fromAI('a') }}", { a: { type: 'string' } }, ['a']],
  ["=x {{ $fromAI('a', 'd', 'number', 3) }}", { a: { type: 'number', description: 'd' } }, []],
  [
    "={{ [$fromAI('a', '', 'json'), $fromai('b', 'c', 'boolean')] }}",
    { a: {}, b: { type: 'boolean', description: 'c' } },
    ['a', 'b'],
  ],
  ['={{ $fromAI(name) }}', {}, []],
  ['={{ $fromAI( }}', {}, []],
  ["$fromAI('a')", {}, []],
])('the arguments of %s', async (value, properties, required) => {
  expect(await fromAiSchema({ list: [{ value }] })).toEqual({ type: 'object', properties, required });
});

test('reading thousands of $fromAI calls does not block the event loop', async () => {
  const calls = Array.from({ length: 2_000 }, (_, index) => `$fromAI('a${index}')`);
  const list = Array.from({ length: 10 }, () => `={{ ${calls.join('+')} }}`);
  const parameters = { more: Array.from({ length: 200_000 }, () => 'x'), list };
  const busy = await longestBusy(async () => {
    const { properties } = await fromAiSchema({ ...parameters });
    expect(Object.keys(properties as object)).toHaveLength(2_000);
  });
  expect(busy).toBeLessThan(250);
});

const prompt = "={{ $fromAI('Prompt') }}";
const messages = { values: [{ content: prompt }] };
test.each<[string, number, WireFormat, string, JsonObject]>([
  ['openAi', 1.8, openAiApi(), 'openAiApi', { modelId: 'gpt-4o', messages }],
  ['openAi', 2.1, openAiApi(), 'openAiApi', { modelId: 'gpt-4o', responses: messages }],
  ['anthropic', 1, anthropicApi, 'anthropicApi', { modelId: 'claude', messages }],
  ['googleGemini', 1, geminiApi(() => ''), 'googlePalmApi', { modelId: 'models/gemini-2.5-flash', messages }],
  ['ollama', 1, ollamaFormat, 'ollamaApi', { modelId: 'llama', messages }],
])('%s %d answers as a tool of an agent', async (name, typeVersion, format, credential, parameters) => {
  const server = await providerServer(format, [{ text: 'a poem' }]);
  const url = name === 'openAi' ? `${server.origin}/v1` : server.origin;
  keys['key'] = { apiKey: 'key-1', url, host: url, baseUrl: url };
  const model = scriptedModel([{ calls: [{ name: 'Vendor', input: { Prompt: 'Write a poem' } }] }, 'done']);
  try {
    const { outcome, uses } = await vendors.run({
      Agent: { type: 'ai.agent', typeVersion: 3 },
      Model: { type: supplierType('model', 'ai_languageModel', () => model), to: { Agent: 'ai_languageModel' } },
      Vendor: {
        type: `@n8n/n8n-nodes-langchain.${name}Tool`,
        typeVersion,
        parameters,
        credentials: { [credential]: 'key' },
        to: { Agent: 'ai_tool' },
      },
    });
    expect(outcome).toMatchObject({ status: 'success' });
    expect(JSON.stringify(uses('Vendor')[0]?.output)).toContain('a poem');
    expect(JSON.stringify(server.received[0]?.body)).toContain('Write a poem');
  } finally {
    await server.close();
  }
});

test('a type that cannot be used as a tool has no tool version', async () => {
  const { outcome } = await engine.run({ Tool: { type: 'n8n-nodes-base.waitTool' } });
  expect(outcome).toMatchObject({ error: { code: 'UNKNOWN_NODE_TYPE' } });
});
