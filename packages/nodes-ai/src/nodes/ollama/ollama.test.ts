import { afterAll, expect, test } from '@jest/globals';
import type { JsonObject, NodeType } from '@sluice/node-sdk';
import { memoryBinary } from '@sluice/nodes-base/testing';
import { ollamaFormat } from '../../testing/ollama-format.ts';
import { providerServer, type ServerAnswer } from '../../testing/provider-server.ts';
import { type AiNode, aiEngine } from '../../testing/run-ai.ts';
import { supplierType } from '../../testing/scripted-model.ts';

const data: Record<string, JsonObject> = {};
const engine = aiEngine(data);
afterAll(() => engine.close());

async function run(parameters: JsonObject, answers: readonly ServerAnswer[], nodes: Record<string, AiNode> = {}) {
  const server = await providerServer(ollamaFormat, answers);
  data['c1'] = { apiKey: 'key-1', baseUrl: server.origin };
  const binary = memoryBinary();
  const files = { data: await binary.store(Buffer.from('png'), { fileName: 'a.png', mimeType: 'image/png' }) };
  const type = '@n8n/n8n-nodes-langchain.ollama';
  try {
    const { outcome, records, json } = await engine.run(
      {
        Ollama: { type, typeVersion: 1, parameters: { modelId: 'llama3.2', ...parameters }, credentials: { ollamaApi: 'c1' } },
        ...nodes,
      },
      [{}],
      { binary, files },
    );
    return {
      json: json('Ollama'),
      bodies: server.received.map(({ body }) => body),
      metadata: records.findLast(({ nodeName }) => nodeName === 'Ollama')?.run.metadata,
      error: outcome.status === 'error' ? outcome.error : undefined,
    };
  } finally {
    await server.close();
  }
}

const hello = { messages: { values: [{ content: 'Hi' }] } };

test('the text is the item, and the options have the names of the API', async () => {
  const options = { system: 'Be brief', temperature: 0, num_ctx: 8_000, format: 'json', keep_alive: '10m' };
  const { json, bodies, metadata } = await run({ ...hello, options }, [{ text: 'Hello' }]);
  expect(json).toEqual([{ content: 'Hello' }]);
  expect(bodies).toEqual([
    {
      model: 'llama3.2',
      stream: false,
      format: 'json',
      keep_alive: '10m',
      options: { temperature: 0, num_ctx: 8_000 },
      messages: [
        { role: 'system', content: 'Be brief' },
        { role: 'user', content: 'Hi' },
      ],
    },
  ]);
  expect(metadata).toEqual({ models: [{ model: 'llama3.2', calls: 1, usage: { inputTokens: 11, outputTokens: 7 } }] });
});

test('connected tools run until the model answers', async () => {
  const adder: AiNode = {
    type: supplierType('adder', 'ai_tool', () => ({
      name: 'add',
      description: 'Adds',
      inputSchema: { type: 'object' },
      run: async ({ a }: { a: number }) => ({ sum: a + 1 }),
    })) as NodeType,
    to: { Ollama: 'ai_tool' },
  };
  const answers = [{ calls: [{ name: 'add', input: { a: 1 } }] }, { text: '2' }];
  const { json, bodies } = await run(hello, answers, { Adder: adder });
  expect(json).toEqual([{ content: '2' }]);
  expect(bodies[1]?.['messages']).toMatchObject([
    { role: 'user' },
    { role: 'assistant', tool_calls: [{ function: { name: 'add' } }] },
    { role: 'tool', tool_name: 'add', content: '{"sum":2}' },
  ]);
});

test('a question about an image sends the item image, and the whole response may be the item', async () => {
  const parameters = { resource: 'image', text: 'What?', simplify: false };
  const { json, bodies } = await run(parameters, [{ text: 'a cat' }]);
  expect(json).toMatchObject([{ message: { role: 'assistant', content: 'a cat' }, done: true }]);
  expect(bodies[0]?.['messages']).toEqual([{ role: 'user', content: 'What?', images: ['cG5n'] }]);
});

test.each<[JsonObject, ServerAnswer[], object]>([
  [{}, [], { message: 'there is no message' }],
  [hello, [{ status: 404, body: '{"error":"model not found"}' }], { message: expect.stringContaining('model not found') }],
  [hello, [{ status: 200, body: '{}' }], { message: expect.stringContaining('no message') }],
])('%j fails with an error that says why', async (parameters, answers, error) => {
  expect((await run(parameters, answers)).error).toMatchObject(error);
});
