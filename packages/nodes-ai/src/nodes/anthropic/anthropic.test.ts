import { afterAll, describe, expect, test } from '@jest/globals';
import type { RunRequest } from '@sluice/engine';
import type { JsonObject, NodeType } from '@sluice/node-sdk';
import { memoryBinary } from '@sluice/nodes-base/testing';
import { anthropicApi } from '../../testing/anthropic-api.ts';
import { providerServer, type ServerAnswer } from '../../testing/provider-server.ts';
import { type AiNode, aiEngine } from '../../testing/run-ai.ts';
import { supplierType } from '../../testing/scripted-model.ts';

const data: Record<string, JsonObject> = {};
const engine = aiEngine(data);
afterAll(() => engine.close());

interface Use {
  parameters: JsonObject;
  answers?: readonly ServerAnswer[];
  files?: Record<string, { text: string; mimeType: string }>;
  nodes?: Record<string, AiNode>;
  key?: string;
  aiLimits?: NonNullable<RunRequest['aiLimits']>;
}

async function run({ parameters, answers = [], files = {}, nodes = {}, key = 'key-1', aiLimits }: Use) {
  const server = await providerServer(anthropicApi, answers);
  data['c1'] = { apiKey: key, url: server.origin };
  const binary = memoryBinary();
  const stored = Object.entries(files).map(
    async ([name, { text, mimeType }]) => [name, await binary.store(Buffer.from(text), { fileName: name, mimeType })] as const,
  );
  const type = '@n8n/n8n-nodes-langchain.anthropic';
  try {
    const { outcome, records, json } = await engine.run(
      { Claude: { type, typeVersion: 1, parameters, credentials: { anthropicApi: 'c1' } }, ...nodes },
      [{}],
      { binary, files: Object.fromEntries(await Promise.all(stored)), ...(aiLimits && { aiLimits }) },
    );
    return {
      json: json('Claude'),
      received: server.received,
      models: records.filter(({ nodeName }) => nodeName === 'Claude (model)').map(({ run }) => run.metadata),
      error: outcome.status === 'error' ? outcome.error : undefined,
    };
  } finally {
    await server.close();
  }
}

const modelId = { __rl: true, mode: 'list', value: 'claude-sonnet-4-5' };
const ask = (content: string, more: JsonObject = {}): JsonObject => ({ modelId, messages: { values: [{ content }] }, ...more });
const hello = [{ type: 'text', text: 'Hello' }];

/** Adds numbers. */
const adder: AiNode = {
  type: {
    ...supplierType('adder', 'ai_tool', () => ({
      name: 'add',
      description: 'Adds',
      inputSchema: { type: 'object', properties: { a: { type: 'number' } } },
      run: async ({ a }: { a: number }) => ({ sum: a + 1 }),
    })),
  } as NodeType,
  to: { Claude: 'ai_tool' },
};

describe('message', () => {
  test('the content is the item, and the options have the names of the API', async () => {
    const options = { system: 'Be brief', maxTokens: 9, temperature: 0, topP: 0.5, topK: 3, includeMergedResponse: true };
    const values: JsonObject[] = [{ role: 'user', content: 'Hi' }, { role: 'assistant', content: 'Hey' }, { content: 'Bye' }];
    const parameters = { modelId, messages: { values }, options };
    const { json, received } = await run({ parameters, answers: [{ text: 'Hello' }] });
    expect(json).toEqual([{ content: hello, merged_response: 'Hello' }]);
    expect(received[0]?.body).toEqual({
      model: 'claude-sonnet-4-5',
      max_tokens: 9,
      system: 'Be brief',
      temperature: 0,
      top_p: 0.5,
      top_k: 3,
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hey' },
        { role: 'user', content: 'Bye' },
      ],
    });
  });

  test('without "Simplify Output", the whole response is the item', async () => {
    const { json } = await run({ parameters: ask('Hi', { simplify: false }), answers: [{ text: 'Hello' }] });
    expect(json).toMatchObject([{ content: hello, stop_reason: 'end_turn', usage: { input_tokens: 11 } }]);
  });

  test('connected tools run, and calls count toward the execution limits', async () => {
    const answers = [{ calls: [{ name: 'add', input: { a: 1 }, id: 't1' }] }, { text: '2' }];
    const aiLimits = { maxModelCalls: 2, maxToolCalls: 1, maxTokens: 1_000, maxCostUsd: 1 };
    const { json, received, models } = await run({ parameters: ask('Add'), answers, nodes: { Adder: adder }, aiLimits });
    expect(json).toEqual([{ content: [{ type: 'text', text: '2' }] }]);
    expect(received[0]?.body['tools']).toMatchObject([{ name: 'add', input_schema: { type: 'object' } }]);
    expect(received[1]?.body['messages']).toMatchObject([
      {},
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1' }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: '{"sum":2}' }] },
    ]);
    const usage = { inputTokens: 11, outputTokens: 7 };
    expect(models).toEqual(Array(2).fill(expect.objectContaining({ model: 'claude-sonnet-4-5', usage })));
  });

  test('tools that Anthropic runs are requested, and a paused turn continues', async () => {
    const options = { codeExecution: true, webSearch: true, maxUses: 2, allowedDomains: 'a.example, b.example' };
    const pause = { status: 200, body: JSON.stringify({ content: hello, stop_reason: 'pause_turn', usage: {} }) };
    const { json, received } = await run({ parameters: ask('Hi', { options }), answers: [pause, { text: 'Done' }] });
    expect(json).toEqual([{ content: [{ type: 'text', text: 'Done' }] }]);
    expect(received[0]?.body['tools']).toEqual([
      { type: 'code_execution_20250522', name: 'code_execution' },
      { type: 'web_search_20250305', name: 'web_search', max_uses: 2, allowed_domains: ['a.example', 'b.example'] },
    ]);
    expect(received[1]?.body['messages']).toEqual([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: hello },
    ]);
  });

  test('attachments are part of the last message', async () => {
    const parameters = ask('What?', {
      addAttachments: true,
      attachmentsUrls: 'https://a.example/1.png, https://a.example/2.pdf',
    });
    const { received } = await run({ parameters, answers: [{ text: 'a' }] });
    expect(received[0]?.body['messages']).toEqual([
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'url', url: 'https://a.example/1.png' } },
          { type: 'document', source: { type: 'url', url: 'https://a.example/2.pdf' } },
          { type: 'text', text: 'What?' },
        ],
      },
    ]);
  });

  test('attachments without a user message are sent as a separate message', async () => {
    const parameters = {
      ...ask('What?', { addAttachments: true, attachmentsUrls: 'https://a.example/1.png' }),
      messages: { values: [{ role: 'assistant', content: 'Hello' }] },
    };
    const { received } = await run({ parameters, answers: [{ text: 'a' }] });
    expect(received[0]?.body['messages']).toEqual([
      { role: 'assistant', content: 'Hello' },
      { role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'https://a.example/1.png' } }] },
    ]);
  });
});

describe('files', () => {
  test.each([
    ['image', 'image/png', { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'eA==' } }],
    [
      'document',
      'application/pdf',
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'eA==' } },
    ],
    ['document', 'text/csv', { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'x' } }],
  ])('a question about the %s of an item (%s) sends the file', async (resource, mimeType, block) => {
    const parameters = { resource, modelId, text: 'What?', inputType: 'binary', options: { maxTokens: 5 } };
    const { json, received } = await run({
      parameters,
      files: { data: { text: 'x', mimeType } },
      answers: [{ text: 'Hello' }],
    });
    expect(json).toEqual([{ content: hello }]);
    expect(received[0]?.body).toMatchObject({
      max_tokens: 5,
      messages: [{ role: 'user', content: [block, { type: 'text', text: 'What?' }] }],
    });
  });

  test('Anthropic reads files by URL, and a node without a file reports the problem', async () => {
    const parameters = { resource: 'image', modelId, imageUrls: 'https://a.example/1' };
    const { received } = await run({ parameters, answers: [{ text: 'Hello' }] });
    expect(received[0]?.body['messages']).toMatchObject([{ content: [{ type: 'image', source: { type: 'url' } }, {}] }]);
    expect((await run({ parameters: { resource: 'image', modelId } })).error).toMatchObject({ message: 'there is no file' });
  });

  test('files are uploaded, read, listed to the end, and deleted', async () => {
    const parameters = { resource: 'file', fileId: 'file_1' };
    const files = { data: { text: 'x', mimeType: 'text/plain' } };
    const uploaded = await run({ parameters: { ...parameters, options: { fileName: 'note.txt' } }, files });
    expect(uploaded.json).toMatchObject([{ id: 'file_1', filename: 'note.txt' }]);
    expect((await run({ parameters: { ...parameters, operation: 'get' } })).json).toMatchObject([{ id: 'file_1' }]);
    const listed = async (more: JsonObject) =>
      (await run({ parameters: { ...parameters, operation: 'list', ...more } })).json.map(({ id }) => id);
    expect(await listed({ returnAll: true })).toEqual(['file_1', 'file_2', 'file_3']);
    expect(await listed({ limit: 1 })).toEqual(['file_1']);
    const deleted = await run({ parameters: { ...parameters, operation: 'deleteFile' } });
    expect(deleted.json).toEqual([{ id: 'file_1', type: 'file_deleted' }]);
  });
});

describe('errors', () => {
  test.each<[string, ServerAnswer[], string, string]>([
    ['a refusal', [{ filtered: true }], 'key-1', 'refused'],
    ['a key that Anthropic refuses', [], 'other', 'invalid x-api-key'],
    ['an answer that is not JSON', [{ malformed: '<html>' }], 'key-1', 'not JSON'],
    ['an answer without content', [{ status: 200, body: '{}' }], 'key-1', 'no content'],
  ])('%s fails with an error that says what to do', async (_, answers, key, message) => {
    const { error } = await run({ parameters: ask('Hi'), answers, key });
    expect(error).toMatchObject({
      code: 'MODEL_FAILED',
      message: expect.stringContaining(message),
      description: expect.any(String),
    });
  });

  test('a rate-limited request is retried', async () => {
    const answers = [{ status: 429, headers: { 'retry-after': '0' } }, { text: 'Hello' }];
    expect((await run({ parameters: ask('Hi'), answers })).json).toEqual([{ content: hello }]);
  });

  test('a discontinued operation and a missing message have clear errors', async () => {
    expect((await run({ parameters: { resource: 'prompt' } })).error).toMatchObject({
      message: expect.stringContaining('prompt tools of Anthropic'),
    });
    expect((await run({ parameters: { modelId } })).error).toMatchObject({ message: 'there is no message' });
  });
});
