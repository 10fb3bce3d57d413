import { afterAll, afterEach, expect, test } from '@jest/globals';
import type { ExecuteContext, JsonObject, LanguageModel, ModelChunk, NodeType } from '@sluice/node-sdk';
import { type OpenAiServer, openAiServer, type ServerAnswer } from '../../testing/open-ai-server.ts';
import { type AiNode, type AiRun, aiEngine } from '../../testing/run-ai.ts';
import { supplierType } from '../../testing/scripted-model.ts';

const data: Record<string, JsonObject> = {};
const engine = aiEngine(data);
afterAll(() => engine.close());
let server: OpenAiServer | undefined;
afterEach(() => server?.close());

/** Runs `ask` with the model in a node `Asker`. */
async function runWith(
  answers: readonly ServerAnswer[],
  ask: (model: LanguageModel, signal: AbortSignal) => Promise<unknown>,
  { node = {}, chunkBytes, signal }: { node?: Partial<AiNode>; chunkBytes?: number; signal?: AbortSignal } = {},
): Promise<AiRun & { server: OpenAiServer }> {
  const opened = await openAiServer(answers, { ...(chunkBytes !== undefined && { chunkBytes }) });
  server = opened;
  data['c1'] = { apiKey: 'key-1', ...data['c1'], url: opened.url };
  const asker: NodeType = {
    ...supplierType('asker', 'main', () => undefined),
    execute: async (context: ExecuteContext) => {
      const [model] = await context.connected('ai_languageModel', 0);
      return [[{ json: { result: (await ask(model?.value as LanguageModel, context.signal)) as JsonObject } }]];
    },
  };
  const model: AiNode = {
    type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
    typeVersion: 1.2,
    parameters: { model: { __rl: true, mode: 'list', value: 'gpt-4o-mini' }, options: { maxRetries: 0, temperature: 0.2 } },
    credentials: { openAiApi: 'c1' },
    to: { Asker: 'ai_languageModel' },
    ...node,
  };
  const run = await engine.run({ Asker: { type: asker }, Model: model }, undefined, signal ? { signal } : {});
  return { ...run, server: opened };
}

const request = { messages: [{ role: 'user' as const, content: 'hi' }] };
const generate = async (model: LanguageModel, signal: AbortSignal) => (await model.generate(request, signal)).text;

async function chunksOf(model: LanguageModel, signal: AbortSignal): Promise<ModelChunk[]> {
  const chunks: ModelChunk[] = [];
  for await (const chunk of model.stream(request, signal)) chunks.push(chunk);
  return chunks;
}

test('a call sends the options, and the key of the credential, which no provider sees', async () => {
  const { server: asked, json, records } = await runWith([{ text: 'hello' }], generate);
  expect(json('Asker')).toEqual([{ result: 'hello' }]);
  expect(asked.received[0]).toMatchObject({
    path: '/v1/chat/completions',
    headers: { authorization: 'Bearer key-1' },
    body: { model: 'gpt-4o-mini', temperature: 0.2, messages: [{ role: 'user', content: 'hi' }] },
  });
  expect(records.find(({ nodeName }) => nodeName === 'Model')?.run.metadata).toMatchObject({
    model: 'gpt-4o-mini',
    usage: { inputTokens: 11, outputTokens: 7, totalTokens: 18 },
  });
});

test.each([1, 2, 3, 17, 100_000])('a stream in pieces of %i bytes gives the text and the calls', async (chunkBytes) => {
  const text = 'häl😀o';
  const calls: { name: string; input: JsonObject; id: string }[] = [
    { name: 'a', input: { q: 'ü', n: 1 }, id: 'x1' },
    { name: 'b', input: {}, id: 'x2' },
  ];
  const { json } = await runWith([{ text, calls }], (model, signal) => chunksOf(model, signal) as Promise<unknown>, {
    chunkBytes,
  });
  const chunks = (json('Asker')[0]?.['result'] ?? []) as unknown as ModelChunk[];
  const texts = chunks.flatMap((chunk) => (chunk.type === 'text' ? [chunk.text] : []));
  expect(texts.join('')).toBe(text);
  expect(chunks.at(-1)).toMatchObject({
    type: 'result',
    result: {
      text,
      finishReason: 'toolCalls',
      toolCalls: [
        { id: 'x1', name: 'a', input: { q: 'ü', n: 1 } },
        { id: 'x2', name: 'b', input: {} },
      ],
      usage: { totalTokens: 18 },
    },
  });
});

const refusal = (status: number, message: string, code: string): ServerAnswer => ({
  status,
  body: JSON.stringify({ error: { message, code, type: 'x' } }),
});

test.each<[string, ServerAnswer, string, string]>([
  ['a rate limit', { status: 429, headers: { 'retry-after': '7' } }, '429', 'Wait'],
  ['a failure', { status: 500 }, 'the provider answered 500', 'try again'],
  ['a context that is too long', refusal(400, 'too long', 'context_length_exceeded'), '400: too long', 'Shorten'],
  ['filtered content', refusal(400, 'filtered', 'content_filter'), '400: filtered', 'filtered'],
  ['no credit', refusal(429, 'pay first', 'insufficient_quota'), '429: pay first', 'credential'],
  ['an unknown model', refusal(404, 'no such model', 'model_not_found'), '404: no such model', 'name of the model'],
  ['JSON that is not valid', { malformed: '{"choices": [' }, 'Invalid JSON', 'base URL'],
  ['a page of a proxy', { malformed: '<html>' }, 'Invalid JSON', 'base URL'],
  ['a connection that ends early', { droppedAfter: 40 }, '', 'try again'],
])('%s fails with an error that says what to do', async (_, answer, message, hint) => {
  const { outcome } = await runWith([answer], generate);
  expect(outcome).toMatchObject({
    status: 'error',
    error: { code: 'MODEL_FAILED', message: expect.stringContaining(message), description: expect.stringContaining(hint) },
  });
});

test('a stream that ends early fails', async () => {
  const { outcome, uses } = await runWith([{ droppedAfter: 900 }], (model, signal) => chunksOf(model, signal));
  expect(outcome).toMatchObject({ status: 'error', error: { code: 'MODEL_FAILED' } });
  expect(typeof uses('Model')[0]?.output).toBe('string');
});

test('a key that the provider refuses names the credential', async () => {
  data['c1'] = { apiKey: 'other', url: 'unused' };
  const { outcome } = await runWith([{ text: 'x' }], generate);
  delete data['c1'];
  expect(outcome).toMatchObject({ error: { code: 'MODEL_FAILED', description: expect.stringContaining('credential') } });
  expect(JSON.stringify(outcome)).not.toContain('Bearer');
});

test('an error that may pass is repeated after the time that the provider asks for', async () => {
  const started = Date.now();
  const busy: ServerAnswer = { status: 429, headers: { 'retry-after': '0.3' } };
  const { json, server: asked } = await runWith([busy, busy, { text: 'at last' }], generate, {
    node: { parameters: { options: { maxRetries: 2 } } },
  });
  expect(json('Asker')).toEqual([{ result: 'at last' }]);
  expect(asked.received).toHaveLength(3);
  expect(Date.now() - started).toBeGreaterThanOrEqual(600);
});

test('a longer pause than a minute is not waited for, and other errors are not repeated', async () => {
  const node = { parameters: { options: { maxRetries: 3 } } };
  const later = await runWith([{ status: 429, headers: { 'retry-after': '120' } }], generate, { node });
  expect(later.server.received).toHaveLength(1);
  await server?.close();
  const wrong = await runWith([refusal(400, 'no', 'invalid')], generate, { node });
  expect(wrong.server.received).toHaveLength(1);
});

test.each<[string, ServerAnswer]>([
  ['waits before it is repeated', { status: 429, headers: { 'retry-after': '50' } }],
  ['waits for the first token', { silent: true }],
])('a stop immediately ends a call that %s', async (_, slow) => {
  const stop = new AbortController();
  setTimeout(() => stop.abort(new Error('stopped')), 100).unref();
  const started = Date.now();
  const { outcome } = await runWith([slow], generate, {
    node: { parameters: { options: { maxRetries: 5 } } },
    signal: stop.signal,
  });
  expect(outcome.status).toBe('aborted');
  expect(Date.now() - started).toBeLessThan(5_000);
});

test('a model that sends no token in time fails', async () => {
  const stream = (model: LanguageModel, signal: AbortSignal) => chunksOf(model, signal) as Promise<unknown>;
  const node = { parameters: { options: { maxRetries: 0, timeout: 300 } } };
  const { outcome } = await runWith([{ silent: true }], stream, { node });
  expect(outcome).toMatchObject({ status: 'error', error: { message: 'the provider took too long to answer' } });
});

test('the credential is not sent to a host that it does not allow', async () => {
  const other = await openAiServer([{ text: 'x' }]);
  const options = { baseURL: other.url.replace('127.0.0.1', 'localhost'), maxRetries: 0 };
  const { outcome } = await runWith([{ text: 'x' }], generate, { node: { parameters: { options } } });
  await other.close();
  expect(other.received).toEqual([]);
  expect(outcome).toMatchObject({ status: 'error', error: { code: 'CREDENTIAL_HOST_NOT_ALLOWED' } });
});
