import { afterAll, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue, Tool, WebhookResponse } from '@sluice/node-sdk';
import { aiEngine } from '../../testing/run-ai.ts';
import { supplierType } from '../../testing/scripted-model.ts';

const engine = aiEngine();
afterAll(() => engine.close());

const weather: Tool = {
  name: 'weather',
  description: 'the weather of a city',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  run: async (input) => ({ sunny: true, ...(input as JsonObject) }),
};
const broken: Tool = { ...weather, name: 'broken', run: async () => Promise.reject(new Error('no service')) };

async function serve(message: JsonValue, typeVersion = 2, called = {}) {
  const responses: WebhookResponse[] = [];
  const run = await engine.run(
    {
      Server: { type: '@n8n/n8n-nodes-langchain.mcpTrigger', typeVersion, parameters: { path: 'x' } },
      Weather: { type: supplierType('weather', 'ai_tool', () => [weather, broken]), to: { Server: 'ai_tool' } },
      Sub: {
        type: 'ai.tool-workflow',
        typeVersion: 2.2,
        parameters: { description: 'a workflow', workflowId: 'sub' },
        to: { Server: 'ai_tool' },
      },
    },
    [{ headers: {}, body: message }],
    { called, respond: async (response) => responses.push(response) > 0 },
  );
  return { ...run, responses, result: responses[0]?.body.kind === 'json' ? responses[0].body.json : undefined };
}

const request = (method: string, params: JsonObject = {}): JsonObject => ({ jsonrpc: '2.0', id: 7, method, params });
const call = (name: string, args: JsonValue) => request('tools/call', { name, arguments: args });

test.each([1, 1.1, 2, 2.1])('version %d lists the tools with their schemas', async (typeVersion) => {
  const { result } = await serve(request('tools/list'), typeVersion);
  expect(result).toMatchObject({
    jsonrpc: '2.0',
    id: 7,
    result: { tools: [{ name: 'weather', inputSchema: weather.inputSchema }, { name: 'broken' }, { name: 'Sub' }] },
  });
});

test('a tool runs with the arguments from the client, and the run data contains the call', async () => {
  const { result, uses, json } = await serve(call('weather', { city: 'Rome' }));
  expect(result).toMatchObject({ result: { content: [{ type: 'text', text: '{"sunny":true,"city":"Rome"}' }] } });
  expect(uses('Weather')).toMatchObject([{ input: { city: 'Rome' }, output: { city: 'Rome', sunny: true } }]);
  expect(json('Server')).toMatchObject([{ method: 'tools/call', tool: 'weather', arguments: { city: 'Rome' } }]);
});

test.each<[string, JsonValue, RegExp]>([
  ['weather', { town: 'Rome' }, /arguments are not valid/],
  ['broken', { city: 'Rome' }, /The tool failed: no service/],
])('%s with %j is a result with an error', async (name, args, text) => {
  const { result } = await serve(call(name, args));
  expect(result).toMatchObject({ result: { isError: true, content: [{ text: expect.stringMatching(text) }] } });
});

test.each<[string, JsonValue]>([
  ['other', {}],
  ['weather', ['Rome']],
])('%s with %j is refused', async (name, args) => {
  expect((await serve(call(name, args))).result).toMatchObject({ id: 7, error: { code: -32_602 } });
});

test('a workflow as a tool: the response is sent when the workflow has finished', async () => {
  const { result, responses } = await serve(call('Sub', { query: 'a' }), 2, {
    sub: ([item]: JsonObject[]) => [{ got: item ?? null }],
  });
  expect(responses).toHaveLength(1);
  expect(result).toMatchObject({ result: { content: [{ text: '{"got":{"query":"a"}}' }] } });
});
