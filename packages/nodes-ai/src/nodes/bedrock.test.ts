import { afterAll, afterEach, expect, test } from '@jest/globals';
import type { JsonObject, ModelRequest, ModelResult } from '@sluice/node-sdk';
import { askWith, chunksOf, question } from '../testing/ask-model.ts';
import { askSubNode } from '../testing/ask-sub-node.ts';
import { bedrockCredential, bedrockFormat, bedrockRuntime, frame } from '../testing/bedrock-format.ts';
import { type ProviderServer, providerServer, type ReceivedRequest, type ServerAnswer } from '../testing/provider-server.ts';
import { aiEngine } from '../testing/run-ai.ts';

const data: Record<string, JsonObject> = {};
const routes: Record<string, string> = {};
const engine = aiEngine(data, routes);
afterAll(() => engine.close());
let server: ProviderServer | undefined;
afterEach(() => server?.close());

async function start(answers: readonly ServerAnswer[], vectors?: (body: JsonObject) => object) {
  const problem = (request: ReceivedRequest): ServerAnswer | undefined => {
    const refused = bedrockFormat.problem(request);
    const next = answers[opened.received.length - 1];
    if (refused || !vectors || next) return refused ?? next;
    return { status: 200, body: JSON.stringify(vectors(request.body)) };
  };
  const opened = await providerServer(vectors ? { ...bedrockFormat, problem } : bedrockFormat, answers);
  server = opened;
  routes[bedrockRuntime] = opened.origin;
  data['c1'] = bedrockCredential;
  return opened;
}

const model = (options: JsonObject = {}) => ({
  type: '@n8n/n8n-nodes-langchain.lmChatAwsBedrock',
  typeVersion: 1.1,
  parameters: { model: 'a.model-v1:0', options: { maxRetries: 0, ...options } },
  credentials: { aws: 'c1' },
});

const ask = async (request: ModelRequest) => {
  const run = await askWith(engine, model(), (chat, signal) => chat.generate(request, signal));
  return { ...run, result: run.json('Asker')[0]?.['result'] as unknown as ModelResult };
};
const stream = (...frames: Buffer[]) => ({ status: 200, body: Buffer.concat(frames) });
const event = (type: string, payload: object) => frame({ ':message-type': 'event', ':event-type': type }, payload);
const delta = (contentBlockIndex: number, value: object) => event('contentBlockDelta', { contentBlockIndex, delta: value });

test('messages become alternating turns with files, calls, and results; the schema becomes an instruction', async () => {
  const { received } = await start([{ text: 'hi' }]);
  const file = (mediaType: string, bytes: string, fileName?: string) => ({
    type: 'file' as const,
    mediaType,
    data: Buffer.from(bytes),
    ...(fileName && { fileName }),
  });
  await ask({
    messages: [
      { role: 'system', content: 'be short' },
      { role: 'user', content: ' ' },
      {
        role: 'user',
        content: [file('image/png', 'png'), file('image/*', '\xff'), file('application/pdf', 'pdf', 'a_b.pdf')],
      },
      { role: 'user', content: 'what?' },
      { role: 'assistant', content: [{ type: 'toolCall', id: '1', name: 'a', input: 'not JSON' }] },
      { role: 'tool', content: [{ type: 'toolResult', id: '1', name: 'a', output: '', isError: true }] },
      { role: 'user', content: 'go on' },
    ],
    tools: [{ name: 'a', description: '', inputSchema: { type: 'object' } }],
    toolChoice: 'required',
    schema: { type: 'object' },
  });
  expect(received[0]).toMatchObject({ path: '/model/a.model-v1%3A0/converse' });
  expect(received[0]?.body).toEqual({
    system: [{ text: 'be short' }, { text: 'Answer only with JSON that matches this JSON Schema: {"type":"object"}' }],
    messages: [
      {
        role: 'user',
        content: [
          { image: { format: 'png', source: { bytes: 'cG5n' } } },
          { image: { format: 'png', source: { bytes: expect.any(String) } } },
          { document: { format: 'pdf', name: 'a b pdf 1', source: { bytes: 'cGRm' } } },
          { text: 'what?' },
        ],
      },
      { role: 'assistant', content: [{ toolUse: { toolUseId: '1', name: 'a', input: { input: 'not JSON' } } }] },
      {
        role: 'user',
        content: [{ toolResult: { toolUseId: '1', content: [{ text: '""' }], status: 'error' } }, { text: 'go on' }],
      },
    ],
    toolConfig: { tools: [{ toolSpec: { name: 'a', inputSchema: { json: { type: 'object' } } } }], toolChoice: { any: {} } },
  });
});

test.each<[string, Partial<ModelRequest>]>([
  ['no tool is connected any more', {}],
  ['no tool may be called', { tools: [{ name: 'a', description: '', inputSchema: { type: 'object' } }], toolChoice: 'none' }],
])('earlier tool calls are sent as text if %s', async (_, request) => {
  const { received } = await start([{ text: 'hi' }]);
  const { result } = await ask({
    ...request,
    messages: [
      { role: 'user', content: 'what?' },
      { role: 'assistant', content: [{ type: 'toolCall', id: '1', name: 'a', input: { n: 1 } }] },
      { role: 'tool', content: [{ type: 'toolResult', id: '1', name: 'a', output: 'it is 5' }] },
      { role: 'tool', content: [{ type: 'toolResult', id: '2', name: 'b', output: { x: 1 }, isError: true }] },
      { role: 'user', content: 'and now?' },
    ],
  });
  expect(result).toMatchObject({ text: 'hi' });
  expect(received[0]?.body).toEqual({
    messages: [
      { role: 'user', content: [{ text: 'what?' }] },
      { role: 'assistant', content: [{ text: '[call of the tool a: {"n":1}]' }] },
      {
        role: 'user',
        content: [
          { text: '[result of the tool a: it is 5]' },
          { text: '[failure of the tool b: {"x":1}]' },
          { text: 'and now?' },
        ],
      },
    ],
  });
});

test.each([
  ['a file that Bedrock cannot read', { mediaType: 'video/mp4', data: Buffer.from('x') }, 'not read files of type video/mp4'],
  ['a file by its URL', { mediaType: 'image/png', data: 'https://a.example/a.png' }, 'download the file'],
])('%s fails before anything is sent', async (_, file, message) => {
  const { received } = await start([{ text: 'hi' }]);
  const { outcome } = await ask({ messages: [{ role: 'user', content: [{ type: 'file', ...file }] }] });
  expect(outcome).toMatchObject({ error: { code: 'MODEL_FAILED', message: expect.stringContaining(message) } });
  expect(received).toHaveLength(0);
});

test('reasoning arrives in parts, and is sent back with its signature', async () => {
  const { received } = await start([
    stream(
      event('messageStart', { role: 'assistant' }),
      delta(0, { reasoningContent: { text: 'let me ' } }),
      delta(0, { reasoningContent: { text: 'see' } }),
      delta(0, { reasoningContent: { signature: 's1' } }),
      delta(1, { reasoningContent: { redactedContent: 'AAA=' } }),
      event('anUnknownEvent', { contentBlockIndex: 1 }),
      delta(2, { text: 'yes' }),
      event('messageStop', { stopReason: 'max_tokens' }),
    ),
    { text: 'done' },
  ]);
  const run = await askWith(engine, model(), async (chat, signal) => {
    const chunks = await chunksOf(chat, signal);
    const last = chunks.at(-1);
    const content = last?.type === 'result' ? last.result.content : [];
    const answer = { role: 'assistant' as const, content: [...content, { type: 'reasoning' as const, text: 'of another' }] };
    await chat.generate({ messages: [...question.messages, answer, ...question.messages] }, signal);
    return chunks;
  });
  const chunks = run.json('Asker')[0]?.['result'] as unknown as object[];
  expect(chunks.slice(0, 2)).toEqual([
    { type: 'reasoning', text: 'let me ' },
    { type: 'reasoning', text: 'see' },
  ]);
  expect(chunks.at(-1)).toMatchObject({ result: { text: 'yes', finishReason: 'length' } });
  expect(received[1]?.body['messages']).toMatchObject([
    { role: 'user' },
    {
      content: [
        { reasoningContent: { reasoningText: { text: 'let me see', signature: 's1' } } },
        { reasoningContent: { redactedContent: 'AAA=' } },
        { text: 'yes' },
      ],
    },
    { role: 'user' },
  ]);
});

test.each<[string, ServerAnswer, string]>([
  [
    'throttling',
    stream(frame({ ':message-type': 'exception', ':exception-type': 'throttlingException' }, { message: 'slow down' })),
    'Wait',
  ],
  [
    'an input that is too long',
    stream(
      frame({ ':message-type': 'exception', ':exception-type': 'validationException' }, { message: 'Input is too long.' }),
    ),
    'Shorten',
  ],
  [
    'an error in the headers alone',
    stream(frame({ ':message-type': 'error', ':error-code': 'throttlingException', ':error-message': 'slow down' })),
    'Wait',
  ],
  ['an error without a type', stream(frame({ ':message-type': 'error', ':error-message': 'no' }, {})), 'try again'],
  ['an end before the model ended', stream(delta(0, { text: 'a' })), 'try again'],
  ['bytes of another format', { status: 200, body: 'data: {}\n\ndata: [DONE]\n\n' }, 'base URL'],
])('the error for a stream with %s says what to do', async (_, answer, hint) => {
  await start([answer]);
  const { outcome } = await askWith(engine, model(), chunksOf);
  expect(outcome).toMatchObject({ error: { code: 'MODEL_FAILED', description: expect.stringContaining(hint) } });
});

test('a call is retried if the model failed while it answered', async () => {
  const { received } = await start([{ status: 424 }, { text: 'hello' }]);
  const run = await askWith(engine, model({ maxRetries: 1 }), (chat, signal) => chat.generate(question, signal));
  expect(run.json('Asker')[0]?.['result']).toMatchObject({ text: 'hello' });
  expect(received).toHaveLength(2);
});

test('an error contains the AWS error type and message', async () => {
  await start([
    {
      status: 400,
      headers: { 'x-amzn-ErrorType': 'ValidationException:http://internal.amazon.com/' },
      body: '{"Message":"no such model"}',
    },
  ]);
  const { outcome } = await ask(question);
  expect(outcome).toMatchObject({
    error: { message: 'the provider responded with status 400: no such model', details: { code: 'ValidationException' } },
  });
});

test('nothing is sent for an invalid region name', async () => {
  const { received } = await start([{ text: 'hi' }]);
  data['c1'] = { ...bedrockCredential, region: 'a.example/#' };
  const { outcome } = await ask(question);
  expect(outcome).toMatchObject({ error: { code: 'MODEL_FAILED', description: expect.stringContaining('credential') } });
  expect(received).toHaveLength(0);
});

const texts = ['t 0', 't 1', 't 2'];
const vectorOf = (text: unknown) => [Number(String(text).at(-1)), 1];
const three = texts.map(vectorOf);
const titan = ({ inputText }: JsonObject) => ({ embedding: vectorOf(inputText), inputTextTokenCount: 2 });
const embed = (modelId: string) =>
  askSubNode(
    engine,
    'ai_embedding',
    { type: '@n8n/n8n-nodes-langchain.embeddingsAwsBedrock', parameters: { model: modelId }, credentials: { aws: 'c1' } },
    (embedding, signal) => embedding.embed(texts, signal),
  );

test('Titan receives one text per request', async () => {
  const { received } = await start([], titan);
  const { json } = await embed('amazon.titan-embed-text-v2:0');
  expect(json('Asker')[0]?.['result']).toEqual({ vectors: three, usage: { inputTokens: 6, totalTokens: 6 } });
  expect(received.map(({ body }) => body)).toEqual(texts.map((inputText) => ({ inputText })));
});

test.each([
  ['a list', (vectors: number[][]) => vectors],
  ['a list by type', (vectors: number[][]) => ({ float: vectors })],
])('Cohere gets all texts in one request, and returns %s', async (_, arrange) => {
  const { received } = await start([], ({ texts: sent }) => ({ embeddings: arrange((sent as string[]).map(vectorOf)) }));
  const { json } = await embed('cohere.embed-multilingual-v3');
  expect(json('Asker')[0]?.['result']).toMatchObject({ vectors: three });
  expect(received.map(({ body }) => body)).toEqual([{ texts, input_type: 'search_document', truncate: 'END' }]);
});

test('a rate-limited request is retried', async () => {
  await start([{ status: 429, headers: { 'retry-after': '0.1' } }], titan);
  expect((await embed('amazon.titan-embed-text-v1')).json('Asker')[0]?.['result']).toMatchObject({ vectors: three });
});

test.each<[string, string, object, string]>([
  ['a model that returns no embedding', 'amazon.nova-pro-v1:0', {}, 'not a Titan or Cohere embedding model'],
  ['an answer without vectors', 'amazon.titan-embed-text-v1', {}, 'no vectors'],
  ['vectors that are not numbers', 'amazon.titan-embed-text-v1', { embedding: ['a'] }, 'no vectors'],
  ['too few vectors', 'cohere.embed-english-v3', { embeddings: [[1]] }, '1 vectors for 3 texts'],
])('%s fails', async (_, modelId, answer, message) => {
  await start([], () => answer);
  const { outcome } = await embed(modelId);
  expect(outcome).toMatchObject({ error: { code: 'MODEL_FAILED', message: expect.stringContaining(message) } });
});

test('a rejected signature names the credential', async () => {
  await start([], titan);
  data['c1'] = { ...bedrockCredential, secretAccessKey: 'other' };
  const { outcome } = await embed('amazon.titan-embed-text-v1');
  expect(outcome).toMatchObject({ error: { code: 'MODEL_FAILED', description: expect.stringContaining('credential') } });
  expect(JSON.stringify(outcome)).not.toContain('other');
});
