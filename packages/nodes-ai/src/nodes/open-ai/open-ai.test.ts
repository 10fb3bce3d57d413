import { afterAll, describe, expect, test } from '@jest/globals';
import type { RunRequest } from '@sluice/engine';
import type { Item, JsonObject, JsonValue, NodeType } from '@sluice/node-sdk';
import { memoryBinary } from '@sluice/nodes-base/testing';
import { openAiApi } from '../../testing/open-ai-api.ts';
import { providerServer, type ServerAnswer } from '../../testing/provider-server.ts';
import { type AiNode, aiEngine } from '../../testing/run-ai.ts';
import { supplierType } from '../../testing/scripted-model.ts';

const data: Record<string, JsonObject> = {};
const engine = aiEngine(data);
afterAll(() => engine.close());

interface Use {
  typeVersion?: number;
  parameters: JsonObject;
  answers?: readonly ServerAnswer[];
  files?: Record<string, string>;
  items?: JsonObject[];
  nodes?: Record<string, AiNode>;
  key?: string;
  node?: Partial<AiNode>;
  aiLimits?: NonNullable<RunRequest['aiLimits']>;
}

async function run({
  typeVersion = 1.8,
  parameters,
  answers = [],
  files = {},
  items = [{}],
  nodes = {},
  key = 'key-1',
  node,
  aiLimits,
}: Use) {
  const server = await providerServer(openAiApi(), answers);
  data['c1'] = { apiKey: key, url: `${server.origin}/v1` };
  const binary = memoryBinary();
  const stored = Object.entries(files).map(
    async ([name, content]) =>
      [name.split('.')[0] ?? '', await binary.store(Buffer.from(content), { fileName: name })] as const,
  );
  try {
    const result = await engine.run(
      {
        OpenAI: {
          type: '@n8n/n8n-nodes-langchain.openAi',
          typeVersion,
          parameters,
          credentials: { openAiApi: 'c1' },
          ...node,
        },
        ...nodes,
      },
      items,
      { binary, files: Object.fromEntries(await Promise.all(stored)), ...(aiLimits && { aiLimits }) },
    );
    const { outcome, records } = result;
    const output: readonly Item[] = records.findLast(({ nodeName }) => nodeName === 'OpenAI')?.run.data?.['main']?.[0] ?? [];
    const outputFiles = output.flatMap((item) => Object.entries(item.binary ?? {}));
    const contents = outputFiles.map(async ([name, file]) => [
      name,
      file.mimeType,
      Buffer.from(await binary.read(file)).toString('latin1'),
    ]);
    return {
      json: output.map((item) => item.json),
      files: await Promise.all(contents),
      received: server.received,
      uses: result.uses,
      metadata: records.findLast(({ nodeName }) => nodeName === 'OpenAI')?.run.metadata,
      models: records.filter(({ nodeName }) => nodeName === 'OpenAI (model)').map(({ run }) => run.metadata),
      error: outcome.status === 'error' ? outcome.error : undefined,
    };
  } finally {
    await server.close();
  }
}

const modelId = { __rl: true, mode: 'list', value: 'gpt-4o-mini' };
const ask = (content: string, more: JsonObject = {}) => ({ modelId, messages: { values: [{ content }] }, ...more });
const respond = (content: string, more: JsonObject = {}) => ({ modelId, responses: { values: [{ content }] }, ...more });

/** Adds numbers. */
const adder: AiNode = {
  type: {
    ...supplierType('adder', 'ai_tool', () => ({
      name: 'add',
      description: 'Adds',
      inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
      run: async ({ a, b }: { a: number; b: number }) => ({ sum: a + b }),
    })),
  } as NodeType,
  to: { OpenAI: 'ai_tool' },
};
const addCall = (input: JsonValue, id = 'c1') => ({ calls: [{ name: 'add', input, id }] });

describe('limits of the execution', () => {
  const aiLimits = { maxModelCalls: 3, maxToolCalls: 1, maxTokens: 1_000, maxCostUsd: 1 };
  const usage = { inputTokens: 11, outputTokens: 7, totalTokens: 18 };

  test.each([
    [1.8, 'chat', ask('Hi')],
    [2, 'responses', respond('Hi')],
  ])(
    'version %d: calls of %s count, with their tokens, and are node runs alongside those of the tools',
    async (typeVersion, _, parameters) => {
      const answers = [addCall({ a: 1, b: 2 }), { text: 'done' }];
      const { models, error } = await run({ typeVersion, parameters, answers, nodes: { Adder: adder }, aiLimits });
      expect(error).toBeUndefined();
      expect(models).toEqual(Array(2).fill(expect.objectContaining({ model: 'gpt-4o-mini', usage })));
      const again = [addCall({ a: 1, b: 2 }), addCall({ a: 1, b: 2 })];
      for (const limit of [{ maxModelCalls: 1 }, { maxTokens: 10 }, {}])
        expect(
          (await run({ typeVersion, parameters, answers: again, nodes: { Adder: adder }, aiLimits: { ...aiLimits, ...limit } }))
            .error,
        ).toMatchObject({ code: 'AI_LIMIT_REACHED' });
    },
  );

  test.each<JsonObject>([
    { resource: 'image', prompt: 'a cat' },
    { resource: 'audio', input: 'Hello' },
    { resource: 'text', operation: 'classify', input: 'good' },
  ])('calls of other models count: %j', async (parameters) => {
    const items = Array.from({ length: 4 }, () => ({}));
    expect((await run({ parameters, items, aiLimits })).error).toMatchObject({ code: 'AI_LIMIT_REACHED' });
    expect((await run({ parameters, items: items.slice(1), aiLimits })).metadata).toMatchObject({ models: [{ calls: 3 }] });
  });
});

describe('message', () => {
  test('the message of a choice is the item, with the options sent under the names of the API', async () => {
    const parameters: JsonObject = {
      ...ask('Hi', { options: { temperature: 0, topP: 0.5, maxTokens: 9, frequency_penalty: 1, presence_penalty: 2, n: 1 } }),
      messages: { values: [{ role: 'system', content: 'Be brief' }, { content: '={{ $json.name }}' }] },
    };
    const { json, received } = await run({
      parameters,
      items: [{ name: 'Ann' }, { name: 'Bob' }],
      answers: [{ text: 'Hello' }],
    });
    const message = { role: 'assistant', content: 'Hello' };
    expect(json).toEqual(Array(2).fill({ index: 0, message, finish_reason: 'stop' }));
    expect(received[1]?.body).toEqual({
      model: 'gpt-4o-mini',
      temperature: 0,
      top_p: 0.5,
      max_tokens: 9,
      frequency_penalty: 1,
      presence_penalty: 2,
      n: 1,
      messages: [
        { role: 'system', content: 'Be brief' },
        { role: 'user', content: 'Bob' },
      ],
    });
  });

  test.each(['o3-mini', 'gpt-5-mini'])('%s gets its token limit in the member that it accepts', async (value) => {
    const { received } = await run({
      parameters: ask('Hi', { modelId: value, options: { maxTokens: 9 } }),
      answers: [{ text: 'a' }],
    });
    expect(received[0]?.body).toMatchObject({ max_completion_tokens: 9 });
    expect(received[0]?.body).not.toHaveProperty('max_tokens');
  });

  test('JSON output is parsed, and requested in a way that the API accepts', async () => {
    const parameters = ask('List a city', { jsonOutput: true });
    const { json, received } = await run({ parameters, answers: [{ text: '{"city":"Rome"}' }] });
    expect(json).toMatchObject([{ message: { content: { city: 'Rome' } } }]);
    expect(received[0]?.body).toMatchObject({
      response_format: { type: 'json_object' },
      messages: [{ role: 'system', content: expect.stringContaining('JSON') }, { content: 'List a city' }],
    });
    expect((await run({ parameters, answers: [{ text: 'no' }] })).json).toMatchObject([{ message: { content: 'no' } }]);
  });

  test('the whole response is the item if it is not simplified', async () => {
    const { json } = await run({ parameters: ask('Hi', { simplify: false }), answers: [{ text: 'Hello' }] });
    expect(json).toMatchObject([
      { id: 'completion-1', choices: [{ message: { content: 'Hello' } }], usage: { total_tokens: 18 } },
    ]);
  });

  test('tools run until the model answers, each as a run of its node', async () => {
    const answers = [
      { calls: [addCall({ a: 1, b: 2 }, 'x').calls[0], addCall('{"a":', 'y').calls[0]] as ReturnType<typeof addCall>['calls'] },
      addCall({ a: 3, b: 4 }),
      { text: '10' },
    ];
    const { json, received, uses } = await run({ parameters: ask('Add'), answers, nodes: { Adder: adder } });
    expect(json).toMatchObject([{ message: { content: '10' } }]);
    expect(received[1]?.body['messages']).toMatchObject([
      { role: 'user' },
      { role: 'assistant', tool_calls: [{ id: 'x' }, { id: 'y' }] },
      { role: 'tool', tool_call_id: 'x', content: '{"sum":3}' },
      { role: 'tool', tool_call_id: 'y', content: expect.stringContaining('not valid JSON') },
    ]);
    expect(uses('Adder').map(({ output }) => output)).toEqual([{ sum: 3 }, { sum: 7 }]);
  });

  test('a model that calls tools endlessly is stopped', async () => {
    const parameters = ask('Add', { options: { maxToolsIterations: 2 } });
    const { error, received } = await run({ parameters, answers: [addCall({ a: 1, b: 1 })], nodes: { Adder: adder } });
    expect(error).toMatchObject({ message: 'the model did not finish within 2 rounds of tools' });
    expect(received).toHaveLength(3);
  });
});

describe('response', () => {
  test('messages of the answer are the output, without its reasoning', async () => {
    const options = {
      maxTokens: 9,
      instructions: 'Be brief',
      reasoning: { reasoningOptions: { effort: 'low', summary: 'none' } },
    };
    const parameters = respond('Hi', { options, builtInTools: { webSearch: {}, codeInterpreter: true } });
    const { json, received } = await run({ typeVersion: 2, parameters, answers: [{ text: 'Hello' }] });
    expect(json).toEqual([
      { output: [expect.objectContaining({ type: 'message', content: [expect.objectContaining({ text: 'Hello' })] })] },
    ]);
    expect(received[0]?.body).toEqual({
      model: 'gpt-4o-mini',
      input: [{ role: 'user', content: 'Hi' }],
      max_output_tokens: 9,
      instructions: 'Be brief',
      reasoning: { effort: 'low' },
      tools: [
        { type: 'web_search', search_context_size: 'medium' },
        { type: 'code_interpreter', container: { type: 'auto' } },
      ],
    });
    const whole = await run({ typeVersion: 2.1, parameters: respond('Hi', { simplify: false }), answers: [{ text: 'Hello' }] });
    expect(whole.json).toMatchObject([{ id: 'resp_1', output: [{ type: 'reasoning' }, { type: 'message' }] }]);
  });

  test.each([
    ['json_object', { type: 'json_object' }],
    ['json_schema', { type: 'json_schema', name: 'city', strict: true, schema: { type: 'object' } }],
  ])('an answer in the format %s is parsed', async (type, format) => {
    const textOptions = { type, name: 'city', strict: true, schema: '{"type":"object"}' };
    const parameters = respond('JSON, please', { options: { textFormat: { textOptions } } });
    const { json, received } = await run({ typeVersion: 2, parameters, answers: [{ text: '{"city":"Rome"}' }] });
    expect(received[0]?.body['text']).toEqual({ format });
    expect(json).toMatchObject([{ output: [{ content: [{ text: { city: 'Rome' } }] }] }]);
  });

  test.each([2.2, 2.3])('version %s behaves as 2.1', async (typeVersion) => {
    const values: JsonObject[] = [
      { role: 'system', type: 'text', content: 'Answer in JSON' },
      { role: 'assistant', type: 'text', content: 'Which city?' },
      { content: 'Rome' },
    ];
    const options = { textFormat: { textOptions: { type: 'json_object' } }, temperature: 0.3 };
    const parameters = { modelId, responses: { values }, options, builtInTools: {} };
    const { json, received } = await run({ typeVersion, parameters, answers: [{ text: '{"city":"Rome"}' }] });
    expect(received[0]).toMatchObject({
      path: '/v1/responses',
      body: {
        input: [
          { role: 'system', content: 'Answer in JSON' },
          { role: 'assistant', content: 'Which city?' },
          { role: 'user', content: 'Rome' },
        ],
        temperature: 0.3,
        text: { format: { type: 'json_object' } },
      },
    });
    expect(json).toMatchObject([{ output: [{ content: [{ text: { city: 'Rome' } }] }] }]);
  });

  test('images and files of messages are sent', async () => {
    const values: JsonObject[] = [
      { type: 'text', content: 'Compare' },
      { type: 'image', imageType: 'url', imageUrl: 'https://example.com/a.png', imageDetail: 'low' },
      { type: 'image', imageType: 'base64', binaryPropertyName: 'photo' },
      { type: 'file', fileType: 'fileId', fileId: 'file-1' },
    ];
    const { received } = await run({
      typeVersion: 2,
      parameters: { modelId, responses: { values } },
      files: { 'photo.png': 'png' },
      answers: [{ text: 'same' }],
    });
    expect(received[0]?.body['input']).toEqual([
      { role: 'user', content: 'Compare' },
      { role: 'user', content: [{ type: 'input_image', image_url: 'https://example.com/a.png', detail: 'low' }] },
      { role: 'user', content: [{ type: 'input_image', image_url: 'data:image/png;base64,cG5n', detail: 'auto' }] },
      { role: 'user', content: [{ type: 'input_file', file_id: 'file-1' }] },
    ]);
  });

  test('tools run until the model answers', async () => {
    const answers = [addCall({ a: 1, b: 2 }), { text: '3' }];
    const { json, received } = await run({ typeVersion: 2, parameters: respond('Add'), answers, nodes: { Adder: adder } });
    expect(json).toMatchObject([{ output: [{ content: [{ text: '3' }] }] }]);
    expect(received[1]?.body['input']).toMatchObject([
      { role: 'user' },
      { type: 'reasoning' },
      { type: 'function_call', call_id: 'c1' },
      { type: 'function_call_output', call_id: 'c1', output: '{"sum":3}' },
    ]);
  });
});

describe('images', () => {
  const image = (operation: string, more: JsonObject = {}) => ({ resource: 'image', operation, ...more });

  test('images are analyzed by URL or as files, with the API of the version', async () => {
    const byUrl = image('analyze', {
      modelId,
      text: 'What?',
      imageUrls: 'https://example.com/a.png, https://example.com/b.png',
    });
    const first = await run({ parameters: byUrl, answers: [{ text: 'cats' }] });
    expect(first.json).toEqual([{ content: 'cats' }]);
    expect(first.received[0]?.body).toMatchObject({
      max_tokens: 300,
      messages: [
        {
          content: [
            { type: 'text', text: 'What?' },
            { image_url: { detail: 'auto' } },
            { image_url: { url: 'https://example.com/b.png' } },
          ],
        },
      ],
    });
    const parameters = image('analyze', { modelId, inputType: 'base64', options: { detail: 'low' } });
    const second = await run({ typeVersion: 2.1, parameters, files: { 'data.png': 'png' }, answers: [{ text: 'dogs' }] });
    expect(second.json).toMatchObject([{ '0': { content: [{ text: 'dogs' }] }, output: [{ content: [{ text: 'dogs' }] }] }]);
    expect(second.received[0]?.body).toMatchObject({
      input: [
        { content: [{ type: 'input_text' }, { type: 'input_image', image_url: 'data:image/png;base64,cG5n', detail: 'low' }] },
      ],
    });
  });

  test('a generated image becomes a file, or remains a URL', async () => {
    const output = await run({
      parameters: image('generate', { prompt: 'a cat', options: { size: '1024x1024', style: 'vivid' } }),
    });
    expect(output.files).toEqual([['data', 'image/png', 'an image']]);
    expect(output.json).toMatchObject([{ mimeType: 'image/png', revised_prompt: 'a cat, revised' }]);
    expect(output.received[0]?.body).toMatchObject({ model: 'dall-e-3', response_format: 'b64_json', style: 'vivid' });
    const urls = await run({ parameters: image('generate', { prompt: 'a cat', options: { returnImageUrls: true, n: 2 } }) });
    expect(urls.json).toEqual(Array(2).fill({ url: 'https://example.com/1.png', revised_prompt: 'a cat, revised' }));
    const parameters = image('generate', { prompt: 'a cat', model: 'gpt-image-1', options: { binaryPropertyOutput: 'cat' } });
    expect((await run({ parameters })).files).toEqual([['cat', 'image/png', 'an image']]);
  });

  test('images are edited as files of a form', async () => {
    const parameters = image('edit', {
      prompt: 'Add a hat',
      model: 'gpt-image-1',
      images: { values: [{ binaryPropertyName: 'cat' }] },
    });
    const edited = await run({ parameters, files: { 'cat.png': 'png' } });
    expect(edited.files).toEqual([['data', 'image/png', 'an image']]);
    expect(edited.received[0]?.body).toEqual({
      model: 'gpt-image-1',
      prompt: 'Add a hat',
      'image[]': { fileName: 'cat.png', type: 'image/png', text: 'png' },
    });
    const old = image('edit', { prompt: 'Add a hat', model: 'dall-e-2', responseFormat: 'url' });
    expect((await run({ parameters: old, files: { 'data.png': 'png' } })).json).toMatchObject([
      { url: 'https://example.com/1.png' },
    ]);
  });
});

describe('audio', () => {
  const audio = (operation: string, more: JsonObject = {}) => ({ resource: 'audio', operation, ...more });

  test('text becomes speech', async () => {
    const parameters = audio('generate', { input: 'Hello', voice: 'nova', options: { speed: 2 } });
    const { files, received, json } = await run({ parameters });
    expect(files).toEqual([['data', 'audio/mpeg', '\u00ff\u00fb\u0000']]);
    expect(json).toMatchObject([{ fileName: 'data.mp3', mimeType: 'audio/mpeg' }]);
    expect(received[0]?.body).toEqual({ model: 'tts-1', input: 'Hello', voice: 'nova', speed: 2 });
  });

  test('speech becomes text, in its language or in English', async () => {
    const options = { language: 'de', temperature: 0.5 };
    const files = { 'data.ogg': 'hallo' };
    const written = await run({ parameters: audio('transcribe', { options }), files });
    expect(written.json).toEqual([{ text: 'heard: hallo' }]);
    expect(written.received[0]?.body).toMatchObject({ model: 'whisper-1', language: 'de', temperature: '0.5' });
    expect((await run({ parameters: audio('translate', { options }), files })).json).toEqual([{ text: 'heard: hallo' }]);
  });
});

test('files are uploaded, listed, and deleted', async () => {
  const file = (operation: string, more: JsonObject = {}) => ({ resource: 'file', operation, ...more });
  const uploaded = await run({ parameters: file('upload', { options: { purpose: 'user_data' } }), files: { 'data.txt': 'a' } });
  expect(uploaded.json).toEqual([{ id: 'file-1', object: 'file', filename: 'data.txt', purpose: 'user_data' }]);
  expect((await run({ parameters: file('list') })).json.map(({ id }) => id)).toEqual(['file-1', 'file-2']);
  const listed = await run({ parameters: file('list', { options: { purpose: 'user_data' } }) });
  expect(listed.json.map(({ id }) => id)).toEqual(['file-2']);
  const deleted = await run({ parameters: file('deleteFile', { fileId: { __rl: true, mode: 'id', value: 'file/../1' } }) });
  expect(deleted.json).toEqual([{ id: 'file%2F..%2F1', object: 'file', deleted: true }]);
});

test('text is classified', async () => {
  const parameters = { operation: 'classify', input: 'bad' };
  expect((await run({ parameters })).json).toEqual([{ flagged: true, categories: { violence: true } }]);
  expect((await run({ parameters: { ...parameters, simplify: true } })).json).toEqual([{ flagged: true }]);
});

const failure = (status: number, message: string, code: string, headers = {}): ServerAnswer => ({
  status,
  headers,
  body: JSON.stringify({ error: { message, code } }),
});

test.each<[string, ServerAnswer, string, string]>([
  ['a rate limit', failure(429, 'slow down', 'rate_limit', { 'retry-after': '100' }), '429: slow down', 'Wait'],
  ['a context that is too long', failure(400, 'too long', 'context_length_exceeded'), '400: too long', 'Shorten'],
  ['a refused prompt', failure(400, 'no', 'content_policy_violation'), '400: no', 'filtered'],
  ['a filtered answer', { filtered: true }, 'the content was filtered', 'filtered'],
  ['an unknown model', failure(404, 'no such model', 'model_not_found'), '404: no such model', 'name of the model'],
  ['no credit', failure(429, 'pay first', 'insufficient_quota'), '429: pay first', 'credential'],
  ['a page of a proxy', { malformed: '<html>' }, 'not JSON', 'base URL'],
  ['an answer without content', { malformed: '{"choices":[]}' }, 'has no', 'base URL'],
])('%s fails with an error that says what to do', async (_, answer, message, hint) => {
  for (const [typeVersion, parameters] of [
    [1.8, ask('Hi')],
    [2.1, respond('Hi')],
  ] as const) {
    const { error, received } = await run({ typeVersion, parameters, answers: [answer] });
    expect(error).toMatchObject({
      code: 'MODEL_FAILED',
      message: expect.stringContaining(message),
      description: expect.stringContaining(hint),
    });
    expect(received).toHaveLength(1);
  }
});

test('a call with a transient failure is retried', async () => {
  const busy: ServerAnswer = { status: 429, headers: { 'retry-after': '0.05' } };
  const { json, received } = await run({ parameters: ask('Hi'), answers: [busy, busy, { text: 'at last' }] });
  expect(json).toMatchObject([{ message: { content: 'at last' } }]);
  expect(received).toHaveLength(3);
});

test('an error for a rejected key names the credential and never contains the key', async () => {
  const { error: refused } = await run({ parameters: ask('Hi'), key: 'secret-9' });
  expect(refused).toMatchObject({ description: expect.stringContaining('credential') });
  expect(JSON.stringify(refused)).not.toContain('secret-9');
});

test.each<[JsonObject, string]>([
  [{ resource: 'assistant' }, 'an assistant of OpenAI is not supported'],
  [{ resource: 'video' }, 'video of OpenAI is not supported'],
  [{ resource: 'text', operation: 'sing' }, '"sing"; allowed: message, response'],
  [{ messages: { values: [{ content: 'a' }] } }, 'no model is chosen'],
  [{ modelId }, 'there is no message'],
  [{ resource: 'image', operation: 'analyze', modelId }, 'there is no image'],
  [{ resource: 'image', prompt: ' ' }, '"prompt" is required'],
  [{ resource: 'audio', operation: 'transcribe' }, 'has no file in "data"'],
])('%j is refused before anything is sent', async (parameters, message) => {
  const { error, received } = await run({ parameters });
  expect(error).toMatchObject({ message: expect.stringContaining(message) });
  expect(received).toEqual([]);
});

test('a failed item becomes an item with the error', async () => {
  const answers = [failure(400, 'no', 'invalid'), { text: 'yes' }];
  const { json } = await run({ parameters: ask('Hi'), items: [{}, {}], answers, node: { onError: 'continueRegularOutput' } });
  expect(json).toMatchObject([{ error: expect.stringContaining('no') }, { message: { content: 'yes' } }]);
});
