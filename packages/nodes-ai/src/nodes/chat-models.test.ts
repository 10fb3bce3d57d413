import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { createHttpClient } from '@sluice/http-client';
import type { JsonObject, ModelChunk, ModelRequest, ModelResult } from '@sluice/node-sdk';
import { createNodeTypeRegistry } from '@sluice/nodes-base';
import { withAiTypes } from '../ai-node-types.ts';
import { anthropicFormat } from '../testing/anthropic-format.ts';
import { askWith, chunksOf, question } from '../testing/ask-model.ts';
import { bedrockControl, bedrockCredential, bedrockFormat, bedrockRuntime } from '../testing/bedrock-format.ts';
import { geminiFormat, vertexCredential, vertexFormat, vertexOrigin } from '../testing/gemini-format.ts';
import { ollamaFormat } from '../testing/ollama-format.ts';
import { openAiFormat } from '../testing/open-ai-server.ts';
import { type ProviderServer, providerServer, type ServerAnswer, type WireFormat } from '../testing/provider-server.ts';
import { type AiNode, aiEngine, routed } from '../testing/run-ai.ts';

const data: Record<string, JsonObject> = {};
const routes: Record<string, string> = {};
const engine = aiEngine(data, routes);
afterAll(() => engine.close());
let server: ProviderServer | undefined;
afterEach(() => server?.close());

interface Provider {
  type: string;
  format: WireFormat;
  credential: string;
  /** Credential field with the address, or the origin that a route replaces. */
  address: string;
  path?: string;
  /** Origin of the model list; default: `address`. */
  lists?: string;
  /** Node options, and the request members that they become. */
  options: JsonObject;
  sent: JsonObject;
  model: JsonObject;
  tooLong: ServerAnswer;
  models: string[];
}

const refusal = (format: WireFormat, status: number, message: string, code?: string): ServerAnswer => ({
  status,
  body: JSON.stringify(format.error(status, message, code)),
});

const completions = openAiFormat();
const compatible = {
  format: completions,
  options: { temperature: 0.3, maxTokens: 99, topP: 0.5, responseFormat: 'json_object' },
  sent: { temperature: 0.3, max_tokens: 99, top_p: 0.5, response_format: { type: 'json_object' }, model: 'm1' },
  model: { model: 'm1' },
  tooLong: refusal(completions, 400, 'This endpoint’s maximum context length is 8 tokens.'),
  models: ['a-model', 'b-model'],
};

const providers: Record<string, Provider> = {
  OpenRouter: { ...compatible, type: 'lmChatOpenRouter', credential: 'openRouterApi', address: 'url', path: '/v1' },
  Anthropic: {
    type: 'lmChatAnthropic',
    format: anthropicFormat,
    credential: 'anthropicApi',
    address: 'url',
    options: { temperature: 0.3, maxTokensToSample: 99, topK: 5 },
    sent: { temperature: 0.3, max_tokens: 99, top_k: 5, model: 'claude-sonnet-4-5' },
    model: { model: { __rl: true, mode: 'list', value: 'claude-sonnet-4-5' } },
    tooLong: refusal(anthropicFormat, 400, 'prompt is too long: 210000 tokens > 200000 maximum'),
    models: ['claude-a', 'claude-b'],
  },
  Bedrock: {
    type: 'lmChatAwsBedrock',
    format: bedrockFormat,
    credential: 'aws',
    address: bedrockRuntime,
    lists: bedrockControl,
    options: { temperature: 0.3, maxTokensToSample: 99, topP: 0.5 },
    sent: { inferenceConfig: { temperature: 0.3, maxTokens: 99, topP: 0.5 } },
    model: { model: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0' },
    tooLong: refusal(bedrockFormat, 400, 'Input is too long for requested model.'),
    models: ['a.modelId', 'b.modelId'],
  },
  Gemini: {
    type: 'lmChatGoogleGemini',
    format: geminiFormat,
    credential: 'googlePalmApi',
    address: 'host',
    options: {
      temperature: 0.3,
      maxOutputTokens: 99,
      topK: 5,
      safetySettings: { values: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }] },
    },
    sent: {
      generationConfig: { temperature: 0.3, maxOutputTokens: 99, topK: 5 },
      safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
    },
    model: { modelName: 'models/gemini-2.5-flash' },
    tooLong: refusal(geminiFormat, 400, 'The input token count (9) exceeds the maximum number of tokens allowed (8).'),
    models: ['models/gemini-a', 'models/gemini-b'],
  },
  Vertex: {
    type: 'lmChatGoogleVertex',
    format: vertexFormat,
    credential: 'googleApi',
    address: vertexOrigin,
    options: {
      temperature: 0.3,
      maxOutputTokens: 99,
      topK: 5,
      thinkingBudget: 0,
      safetySettings: { values: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }] },
    },
    sent: {
      generationConfig: { temperature: 0.3, maxOutputTokens: 99, topK: 5, thinkingConfig: { thinkingBudget: 0 } },
      safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
    },
    model: { projectId: { __rl: true, mode: 'id', value: 'my-project' }, modelName: 'gemini-2.5-flash' },
    tooLong: refusal(vertexFormat, 400, 'The input token count (9) exceeds the maximum number of tokens allowed (8).'),
    models: ['gemini-a', 'gemini-b'],
  },
};

const ollama: Provider = {
  type: 'lmChatOllama',
  format: ollamaFormat,
  credential: 'ollamaApi',
  address: 'baseUrl',
  options: { temperature: 0.3, numCtx: 16_000, topK: -1, format: 'json', keepAlive: '10m' },
  sent: {
    model: 'llama3.1:latest',
    options: { temperature: 0.3, num_ctx: 16_000 },
    format: 'json',
    keep_alive: '10m',
    stream: false,
  },
  model: { model: 'llama3.1:latest' },
  tooLong: refusal(ollamaFormat, 400, 'the input exceeds the context length'),
  models: ['a:latest', 'b:latest'],
};
providers['Ollama'] = ollama;

/** Services with the Chat Completions API: their paths and keys. */
const others: Record<
  string,
  Pick<Provider, 'type' | 'credential' | 'address'> & { access: Parameters<typeof openAiFormat>[0] }
> = {
  Groq: {
    type: 'lmChatGroq',
    credential: 'groqApi',
    address: 'https://api.groq.com',
    access: { path: '/openai/v1/chat/completions' },
  },
  DeepSeek: {
    type: 'lmChatDeepSeek',
    credential: 'deepSeekApi',
    address: 'https://api.deepseek.com',
    access: { path: '/chat/completions' },
  },
  xAI: { type: 'lmChatXAiGrok', credential: 'xAiApi', address: 'https://api.x.ai', access: {} },
  Cohere: {
    type: 'lmChatCohere',
    credential: 'cohereApi',
    address: 'https://api.cohere.ai',
    access: { path: '/compatibility/v1/chat/completions' },
  },
  Mistral: { type: 'lmChatMistralCloud', credential: 'mistralCloudApi', address: 'https://api.mistral.ai', access: {} },
  'Hugging Face': {
    type: 'lmOpenHuggingFaceInference',
    credential: 'huggingFaceApi',
    address: 'https://router.huggingface.co',
    access: {},
  },
  Vercel: {
    type: 'lmChatVercelAiGateway',
    credential: 'vercelAiGatewayApi',
    address: 'https://ai-gateway.vercel.sh',
    access: {},
  },
  Azure: {
    type: 'lmChatAzureOpenAi',
    credential: 'azureOpenAiApi',
    address: 'https://acme.openai.azure.com',
    access: { path: '/openai/deployments/m1/chat/completions?api-version=2024-10-21', key: ['api-key', 'key-1'] },
  },
};

async function start(
  provider: Pick<Provider, 'format' | 'address' | 'path'>,
  answers: readonly ServerAnswer[],
  chunkBytes = 7,
) {
  const opened = await providerServer(provider.format, answers, { chunkBytes });
  server = opened;
  const isRoute = provider.address.startsWith('https:');
  if (isRoute) routes[provider.address] = opened.origin;
  data['c1'] = {
    apiKey: 'key-1',
    ...bedrockCredential,
    ...(provider.address === vertexOrigin && vertexCredential),
    ...(!isRoute && { [provider.address]: `${opened.origin}${provider.path ?? ''}` }),
    resourceName: 'acme',
    apiVersion: '2024-10-21',
  };
  return opened;
}

function node(provider: Pick<Provider, 'type' | 'credential'>, parameters: JsonObject = {}): AiNode {
  return { type: `@n8n/n8n-nodes-langchain.${provider.type}`, parameters, credentials: { [provider.credential]: 'c1' } };
}

const ask = async (
  provider: Provider,
  request: ModelRequest = question,
  options: JsonObject = { maxRetries: 0 },
  typeVersion?: number,
) => {
  const modelNode = { ...node(provider, { ...provider.model, options }), ...(typeVersion !== undefined && { typeVersion }) };
  const run = await askWith(engine, modelNode, (model, signal) => model.generate(request, signal));
  return { ...run, result: run.json('Asker')[0]?.['result'] as unknown as ModelResult };
};
const stream = async (provider: Provider) => {
  const run = await askWith(engine, node(provider, { ...provider.model, options: { maxRetries: 0 } }), chunksOf);
  return { ...run, chunks: (run.json('Asker')[0]?.['result'] ?? []) as unknown as ModelChunk[] };
};

const calls: { name: string; input: JsonObject; id: string }[] = [
  { name: 'a', input: { q: 'ü', n: 1 }, id: 'x1' },
  { name: 'b', input: { z: null }, id: 'x2' },
];
const tools = ['a', 'b'].map((name) => ({ name, description: 'a tool', inputSchema: { type: 'object', properties: {} } }));

describe.each(Object.entries(providers))('%s', (_, provider) => {
  test('a call sends the options, and the key in the credential', async () => {
    const { received } = await start(provider, [{ text: 'hello' }]);
    const { result } = await ask(provider, question, { ...provider.options, maxRetries: 0 });
    expect(received[0]?.body).toMatchObject(provider.sent);
    expect(result).toMatchObject({ text: 'hello', finishReason: 'stop', usage: { inputTokens: 11, outputTokens: 7 } });
  });

  test('a later system message and tool results are accepted', async () => {
    const { received } = await start(provider, [{ calls }, { text: 'done' }]);
    const first = await ask(provider, { ...question, tools });
    expect(first.result).toMatchObject({
      finishReason: 'toolCalls',
      toolCalls: calls.map(({ name, input }) => ({ name, input })),
    });
    const results = first.result.toolCalls.map(({ id, name }) => ({
      type: 'toolResult' as const,
      id,
      name,
      output: { ok: true },
    }));
    const messages: ModelRequest['messages'] = [
      { role: 'system', content: 'be short' },
      ...question.messages,
      { role: 'assistant', content: first.result.content },
      { role: 'tool', content: results },
      { role: 'system', content: 'be kind' },
    ];
    const second = await ask(provider, { messages, tools });
    expect(second.result).toMatchObject({ text: 'done' });
    expect(JSON.stringify(received[1]?.body)).toContain('be kind');
  });

  test('a conversation with invalid arguments and an empty answer is accepted', async () => {
    await start(provider, [{ text: 'done' }]);
    const messages: ModelRequest['messages'] = [
      ...question.messages,
      { role: 'assistant', content: [{ type: 'toolCall', id: 'x1', name: 'a', input: '{"q' }] },
      { role: 'tool', content: [{ type: 'toolResult', id: 'x1', name: 'a', output: 'not valid', isError: true }] },
      { role: 'assistant', content: [] },
      { role: 'user', content: 'and?' },
    ];
    expect((await ask(provider, { messages, tools })).outcome).toMatchObject({ status: 'success' });
  });

  test.each([1, 3, 100_000])('a stream in chunks of %i bytes yields the text and the calls', async (chunkBytes) => {
    const text = 'häl😀o';
    await start(provider, [{ text, calls }], chunkBytes);
    const { chunks } = await stream(provider);
    expect(chunks.flatMap((chunk) => (chunk.type === 'text' ? [chunk.text] : [])).join('')).toBe(text);
    expect(chunks.at(-1)).toMatchObject({
      type: 'result',
      result: {
        text,
        finishReason: 'toolCalls',
        toolCalls: calls.map(({ name, input }) => ({ name, input })),
        usage: { inputTokens: 11, outputTokens: 7 },
      },
    });
  });

  test('an answer that was filtered has that finish reason', async () => {
    if (provider === ollama) return; // It has no filter.
    await start(provider, [{ filtered: true }]);
    expect((await ask(provider)).result).toMatchObject({ finishReason: 'refused' });
  });

  test.each<[string, (provider: Provider) => ServerAnswer, string]>([
    ['a rate limit', () => ({ status: 429, headers: { 'retry-after': '7' } }), 'Wait'],
    ['a failure', () => ({ status: 503 }), 'try again'],
    ['a context that is too long', ({ tooLong }) => tooLong, 'Shorten'],
    ['no credit', ({ format }) => refusal(format, 402, 'Your credit balance is too low'), 'credential'],
    ['an unknown model', ({ format }) => refusal(format, 404, 'no such model'), 'name of the model'],
    ['JSON that is not valid', () => ({ malformed: '{"choices": [' }), 'base URL'],
    ['a page of a proxy', () => ({ malformed: '<html>' }), 'base URL'],
    ['a connection that closes early', () => ({ droppedAfter: 40 }), 'try again'],
  ])('%s fails with an error that says what to do', async (_name, answer, hint) => {
    await start(provider, [answer(provider)]);
    expect((await ask(provider)).outcome).toMatchObject({
      status: 'error',
      error: { code: 'MODEL_FAILED', description: expect.stringContaining(hint) },
    });
  });

  test.each<[string, ServerAnswer]>([
    ['fails', { failsAfter: 'so far' }],
    ['is dropped', { droppedAfter: 900 }],
    ['ends', { endsAfter: 900 }],
  ])('a stream that %s in the middle fails with a retryable error', async (_name, answer) => {
    await start(provider, [answer]);
    const { outcome } = await stream(provider);
    expect(outcome).toMatchObject({
      status: 'error',
      error: { code: 'MODEL_FAILED', description: expect.stringContaining('try again') },
    });
  });

  test('an error for a rejected key names the credential', async () => {
    await start(provider, [{ text: 'x' }]);
    data['c1'] = { ...data['c1'], apiKey: 'other', accessKeyId: 'other', oauthTokenData: { access_token: 'other' } };
    const { outcome } = await ask(provider);
    expect(outcome).toMatchObject({ error: { code: 'MODEL_FAILED', description: expect.stringContaining('credential') } });
    expect(JSON.stringify(outcome)).not.toContain('of-the-credential');
  });

  test('a rate-limited request is retried after the pause that the provider requests, or after a second', async () => {
    const { received } = await start(provider, [
      { status: 429, headers: { 'retry-after': '0.2' } },
      { status: 429 },
      { text: 'at last' },
    ]);
    const started = Date.now();
    expect((await ask(provider, question, { maxRetries: 2 })).result.text).toBe('at last');
    expect(received).toHaveLength(3);
    expect(Date.now() - started).toBeGreaterThanOrEqual(1_200);
  });

  test('editors list the models, filtered by a search text', async () => {
    const { origin } = await start(provider, []);
    const type = withAiTypes(createNodeTypeRegistry([])).find(`@n8n/n8n-nodes-langchain.${provider.type}`);
    const client = createHttpClient({ ssrfProtection: 'on', ssrfAllow: ['127.0.0.1'], ownEndpoints: [] });
    const context = {
      http: routed(client, { [provider.lists ?? provider.address]: origin }),
      signal: new AbortController().signal,
      credentials: async () => data['c1'],
      parameter: (_path: string, fallback: unknown) => fallback,
      authentication: async () => ({}),
    } as never;
    const search = type?.methods?.listSearch?.['getModels'];
    const all = await search?.(context);
    const some = await search?.(context, provider.models[1]?.toUpperCase());
    await client.close();
    expect(all?.results.map(({ value }) => value)).toEqual(provider.models);
    expect(some?.results.map(({ value }) => value)).toEqual([provider.models[1]]);
  });
});

test('a pause that Gemini requests in its details is respected', async () => {
  const provider = providers['Gemini'] as Provider;
  const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '0.3s' }];
  const busy = { status: 429, body: JSON.stringify({ error: { code: 429, message: 'quota', details } }) };
  await start(provider, [busy, busy, busy, busy, { text: 'at last' }]);
  const started = Date.now();
  expect((await ask(provider, question, { maxRetries: 4 })).result.text).toBe('at last');
  expect(Date.now() - started).toBeLessThan(15_000); // 1 + 2 + 4 + 8 s without the details
});

test.each([
  [1, 'gemini-2.5-flash'],
  [1.1, 'gemini-3-flash-preview'],
  [1.2, 'gemini-3-flash-preview'],
])('version %s of the Gemini model asks %s if the node names none', async (typeVersion, model) => {
  const provider = { ...(providers['Gemini'] as Provider), model: {} };
  const { received } = await start(provider, [{ text: 'hello' }]);
  await ask(provider, question, {}, typeVersion);
  expect(received[0]?.path).toContain(`/models/${model}:generateContent`);
});

test('the cost that OpenRouter reports is part of the usage', async () => {
  const provider = { ...(providers['OpenRouter'] as Provider), format: openAiFormat({ cost: 0.0125 }) };
  await start(provider, [{ text: 'hello' }]);
  expect((await ask(provider)).result.usage).toMatchObject({ inputTokens: 11, cost: 0.0125 });
  expect((await stream(provider)).chunks.at(-1)).toMatchObject({ result: { usage: { inputTokens: 11, cost: 0.0125 } } });
});

test('Claude thinks within its budget', async () => {
  const provider = providers['Anthropic'] as Provider;
  const { received } = await start(provider, [{ text: 'hm' }]);
  await ask(provider, question, { thinking: true, thinkingBudget: 2_000, maxTokensToSample: 4_000 }, 1.4);
  expect(received[0]?.body).toMatchObject({ thinking: { type: 'enabled', budget_tokens: 2_000 } });
});

test.each<[JsonObject, JsonObject]>([
  [{ thinkingMode: 'adaptive' }, { thinking: { type: 'adaptive' }, output_config: { effort: 'medium' } }],
  [
    { thinkingMode: 'adaptive', effort: 'low' },
    { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } },
  ],
  [{ thinkingMode: 'manual', thinkingBudget: 2_000 }, { thinking: { type: 'enabled', budget_tokens: 2_000 } }],
  [{ thinkingMode: 'disabled' }, { thinking: { type: 'disabled' } }],
])('from version 1.5 of its model on, Claude thinks in the chosen mode: %j', async (options, sent) => {
  const provider = providers['Anthropic'] as Provider;
  const { received } = await start(provider, [{ text: 'hm' }]);
  await ask(provider, question, { maxTokensToSample: 4_000, ...options }, 1.5);
  expect(received[0]?.body).toMatchObject(sent);
});

test.each([1.6, 1.8])('version %d: no thinking setting is sent to Claude if no mode is selected', async (typeVersion) => {
  const provider = providers['Anthropic'] as Provider;
  const { received } = await start(provider, [{ text: 'hm' }]);
  await ask(provider, question, {}, typeVersion);
  expect(received[0]?.body).not.toHaveProperty('thinking');
});

test.each(Object.entries(others))('%s is called at its URL, with its key', async (_, { access, ...other }) => {
  const { received } = await start({ ...other, format: openAiFormat(access) }, [{ text: 'hello', calls }]);
  const parameters = { model: 'm1', options: { temperature: 0.4, maxRetries: 0, safeMode: true } };
  const { json, outcome } = await askWith(engine, node(other, parameters), (model, signal) => model.generate(question, signal));
  expect(outcome).toMatchObject({ status: 'success' });
  expect(json('Asker')[0]?.['result']).toMatchObject({ text: 'hello', toolCalls: [{ name: 'a' }, { name: 'b' }] });
  expect(received[0]?.body).toMatchObject({ model: 'm1', temperature: 0.4 });
  expect(received[0]?.body['safe_prompt']).toBe(other.type === 'lmChatMistralCloud' ? true : undefined);
});

test('OpenAI completion models receive the messages as one text', async () => {
  const choices = [{ index: 0, text: 'Goodbye.', finish_reason: 'stop' }];
  const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
  const answer = {
    status: 200,
    body: JSON.stringify({ id: '1', object: 'text_completion', created: 1, model: 'm', choices, usage }),
  };
  const format = { ...openAiFormat(), problem: () => undefined };
  const { received } = await start({ address: 'url', path: '/v1', format }, [answer]);
  const parameters = { model: { __rl: true, mode: 'list', value: 'gpt-3.5-turbo-instruct' }, options: { temperature: 0.4 } };
  const lm = node({ type: 'lmOpenAi', credential: 'openAiApi' }, parameters);
  const { json } = await askWith(engine, lm, (model, signal) => model.generate(question, signal));
  expect(json('Asker')[0]?.['result']).toMatchObject({ text: 'Goodbye.', usage: { totalTokens: 5 } });
  expect(received[0]).toMatchObject({ path: '/v1/completions', body: { model: 'gpt-3.5-turbo-instruct', temperature: 0.4 } });
});

test('Ollama receives images as files, tool results by name, and the schema as format', async () => {
  const { received } = await start(ollama, [{ text: '{}' }]);
  const messages: ModelRequest['messages'] = [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'what?' },
        { type: 'file', mediaType: 'image/png', data: Buffer.from('png') },
      ],
    },
    { role: 'assistant', content: [{ type: 'toolCall', id: '1', name: 'a', input: { x: 1 } }] },
    { role: 'tool', content: [{ type: 'toolResult', id: '1', name: 'a', output: { y: 2 } }] },
  ];
  await ask(ollama, { messages, schema: { type: 'object' } });
  expect(received[0]?.body).toMatchObject({
    format: { type: 'object' },
    messages: [
      { role: 'user', content: 'what?', images: ['cG5n'] },
      { role: 'assistant', content: '', tool_calls: [{ function: { name: 'a', arguments: { x: 1 } } }] },
      { role: 'tool', tool_name: 'a', content: '{"y":2}' },
    ],
  });
});
