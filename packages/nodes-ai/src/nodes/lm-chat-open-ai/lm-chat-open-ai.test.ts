import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import {
  checkParameters,
  type ExecuteContext,
  type JsonObject,
  type LanguageModel,
  type ModelChunk,
  type NodeType,
} from '@sluice/node-sdk';
import { openAiApi } from '../../testing/open-ai-api.ts';
import { type OpenAiServer, openAiServer, type ServerAnswer } from '../../testing/open-ai-server.ts';
import { providerServer } from '../../testing/provider-server.ts';
import { type AiNode, type AiRun, aiEngine } from '../../testing/run-ai.ts';
import { supplierType } from '../../testing/scripted-model.ts';
import { lmChatOpenAi } from './lm-chat-open-ai.ts';

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

test('a call sends the options, and the key in the credential, which no provider library sees', async () => {
  const { server: openAi, json, records } = await runWith([{ text: 'hello' }], generate);
  expect(json('Asker')).toEqual([{ result: 'hello' }]);
  expect(openAi.received[0]).toMatchObject({
    path: '/v1/chat/completions',
    headers: { authorization: 'Bearer key-1' },
    body: { model: 'gpt-4o-mini', temperature: 0.2, messages: [{ role: 'user', content: 'hi' }] },
  });
  expect(records.find(({ nodeName }) => nodeName === 'Model')?.run.metadata).toMatchObject({
    model: 'gpt-4o-mini',
    usage: { inputTokens: 11, outputTokens: 7, totalTokens: 18 },
  });
});

test.each([1, 2, 3, 17, 100_000])('a stream in chunks of %i bytes yields the text and the calls', async (chunkBytes) => {
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
  ['a failure', { status: 500 }, 'the provider responded with status 500', 'try again'],
  ['a context that is too long', refusal(400, 'too long', 'context_length_exceeded'), '400: too long', 'Shorten'],
  ['filtered content', refusal(400, 'filtered', 'content_filter'), '400: filtered', 'filtered'],
  ['no credit', refusal(429, 'pay first', 'insufficient_quota'), '429: pay first', 'credential'],
  ['an unknown model', refusal(404, 'no such model', 'model_not_found'), '404: no such model', 'name of the model'],
  ['JSON that is not valid', { malformed: '{"choices": [' }, 'Invalid JSON', 'base URL'],
  ['a page of a proxy', { malformed: '<html>' }, 'Invalid JSON', 'base URL'],
  ['a connection that closes early', { droppedAfter: 40 }, '', 'try again'],
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

test('an error for a rejected key names the credential', async () => {
  data['c1'] = { apiKey: 'other', url: 'unused' };
  const { outcome } = await runWith([{ text: 'x' }], generate);
  delete data['c1'];
  expect(outcome).toMatchObject({ error: { code: 'MODEL_FAILED', description: expect.stringContaining('credential') } });
  expect(JSON.stringify(outcome)).not.toContain('Bearer');
});

test('a transient error is retried after the pause that the provider requests', async () => {
  const started = Date.now();
  const busy: ServerAnswer = { status: 429, headers: { 'retry-after': '0.3' } };
  const { json, server: openAi } = await runWith([busy, busy, { text: 'at last' }], generate, {
    node: { parameters: { options: { maxRetries: 2 } } },
  });
  expect(json('Asker')).toEqual([{ result: 'at last' }]);
  expect(openAi.received).toHaveLength(3);
  expect(Date.now() - started).toBeGreaterThanOrEqual(600);
});

test('a requested pause longer than a minute, or another error, is not retried', async () => {
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

describe('built-in tools', () => {
  const search = { id: 'ws_1', type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'news' } };
  const thought = { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'x' };
  const outputText = { type: 'output_text', text: 'found', annotations: [] };
  const message = { id: 'msg_1', type: 'message', status: 'completed', role: 'assistant', content: [outputText] };
  const usage = { input_tokens: 11, output_tokens: 7, total_tokens: 18 };
  const answer = {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    model: 'gpt-4o',
    status: 'completed',
    usage,
    output: [thought, search, message],
  };
  const events = [
    { type: 'response.created', response: { id: 'resp_1', created_at: 1, model: 'gpt-4o' } },
    { type: 'response.output_item.added', output_index: 0, item: { ...search, status: 'in_progress' } },
    { type: 'response.output_item.done', output_index: 0, item: search },
    { type: 'response.output_item.added', output_index: 1, item: { ...message, content: [] } },
    { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 1, content_index: 0, delta: 'found' },
    { type: 'response.output_item.done', output_index: 1, item: message },
    { type: 'response.completed', response: { ...answer, output: [search, message] } },
  ];

  /** The body of the request, and what `ask` resolves to. */
  async function asked(
    parameters: JsonObject,
    ask: (model: LanguageModel, signal: AbortSignal) => Promise<unknown>,
    body = JSON.stringify(answer),
    type = 'application/json',
  ) {
    const api = await providerServer(openAiApi(), [{ status: 200, body, headers: { 'content-type': type } }]);
    data['r1'] = { apiKey: 'key-1', url: `${api.origin}/v1` };
    const asker: NodeType = {
      ...supplierType('asker', 'main', () => undefined),
      execute: async (context: ExecuteContext) => {
        const [model] = await context.connected('ai_languageModel', 0);
        return [[{ json: { result: (await ask(model?.value as LanguageModel, context.signal)) as JsonObject } }]];
      },
    };
    try {
      const { json, outcome } = await engine.run({
        Asker: { type: asker },
        Model: {
          type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
          typeVersion: 1.3,
          parameters: { model: { __rl: true, mode: 'list', value: 'gpt-4o' }, ...parameters },
          credentials: { openAiApi: 'r1' },
          to: { Asker: 'ai_languageModel' },
        },
      });
      expect(outcome).toMatchObject({ status: 'success' });
      return { body: api.received[0]?.body, path: api.received[0]?.path, result: json('Asker')[0]?.['result'] };
    } finally {
      await api.close();
    }
  }

  test.each<[JsonObject, unknown]>([
    [{}, undefined],
    [{ webSearch: { searchContextSize: 'low' } }, [{ type: 'web_search', search_context_size: 'low' }]],
    [{ webSearch: {} }, [{ type: 'web_search', search_context_size: 'medium' }]],
    [
      { webSearch: { allowedDomains: 'a.example, b.example', country: 'AT', city: 'Graz' } },
      [
        {
          type: 'web_search',
          search_context_size: 'medium',
          filters: { allowed_domains: ['a.example', 'b.example'] },
          user_location: { type: 'approximate', country: 'AT', city: 'Graz' },
        },
      ],
    ],
    [
      { codeInterpreter: true, fileSearch: { vectorStoreIds: 'vs_1, vs_2', maxResults: 3 } },
      [
        { type: 'code_interpreter', container: { type: 'auto' } },
        { type: 'file_search', vector_store_ids: ['vs_1', 'vs_2'], max_num_results: 3 },
      ],
    ],
  ])('%j is sent as %j', async (builtInTools, tools) => {
    expect(checkParameters(lmChatOpenAi, { model: 'gpt-4o', builtInTools, options: {} }, 1.3)).toEqual([]);
    const { body, path, result } = await asked({ builtInTools }, generate);
    expect(path).toBe('/v1/responses');
    expect(body?.['tools']).toEqual(tools);
    expect(result).toBe('found');
  });

  test('Responses API options are sent', async () => {
    const options = { promptCacheKey: 'k', metadata: '{"team":"a"}' };
    expect(checkParameters(lmChatOpenAi, { model: 'gpt-4o', options }, 1.3)).toEqual([]);
    const { body } = await asked({ options }, generate);
    expect(body).toMatchObject({ prompt_cache_key: 'k', metadata: { team: 'a' } });
  });

  test('they are offered alongside the tools of a request, and the provider runs their calls', async () => {
    const tools = [{ name: 'web_search', description: 'ours', inputSchema: { type: 'object' } }];
    const { body, result } = await asked({ builtInTools: { webSearch: {} } }, async (model, signal) => {
      const { toolCalls, content } = await model.generate({ ...request, tools }, signal);
      return { toolCalls, types: content.map(({ type }) => type) };
    });
    expect(body?.['tools']).toMatchObject([{ type: 'function', name: 'web_search' }, { type: 'web_search' }]);
    // The reasoning before the search would be rejected in the next request.
    expect(result).toEqual({ toolCalls: [], types: ['text'] });
  });

  test('a stream skips the search', async () => {
    const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
    const ask = async (model: LanguageModel, signal: AbortSignal) => (await chunksOf(model, signal)) as unknown;
    const { result } = await asked({ builtInTools: { webSearch: {} } }, ask, body, 'text/event-stream');
    expect(result).toMatchObject([
      { type: 'text', text: 'found' },
      { type: 'result', result: { text: 'found', toolCalls: [] } },
    ]);
  });

  test('the parameter check rejects them for Chat Completions', async () => {
    const parameters = { model: 'gpt-4o', responsesApiEnabled: false, builtInTools: { webSearch: {} } };
    expect(checkParameters(lmChatOpenAi, parameters, 1.3, { onSave: true })).toMatchObject([
      { kind: 'unused', message: expect.stringContaining('"responsesApiEnabled" is true') },
    ]);
    const { server: sent } = await runWith([{ text: 'x' }], generate, { node: { typeVersion: 1.3, parameters } });
    expect(sent.received[0]?.body).not.toHaveProperty('tools');
  });
});
