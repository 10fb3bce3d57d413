import { afterAll, describe, expect, test } from '@jest/globals';
import type { RunRequest } from '@sluice/engine';
import type { BinaryReference, Item, JsonObject, NodeType } from '@sluice/node-sdk';
import { isDisplayed, withDefaults } from '@sluice/node-sdk/display';
import { memoryBinary } from '@sluice/nodes-base/testing';
import { geminiApi } from '../../testing/gemini-api.ts';
import { providerServer, type ServerAnswer } from '../../testing/provider-server.ts';
import { type AiNode, aiEngine } from '../../testing/run-ai.ts';
import { supplierType } from '../../testing/scripted-model.ts';
import { googleGemini } from './google-gemini.ts';

const data: Record<string, JsonObject> = {};
const engine = aiEngine(data);
afterAll(() => engine.close());

interface Use {
  parameters: JsonObject;
  typeVersion?: number;
  answers?: readonly ServerAnswer[];
  files?: Record<string, string>;
  /** Changes the references to the files. */
  seenAs?: (file: BinaryReference) => BinaryReference;
  nodes?: Record<string, AiNode>;
  key?: string;
  items?: readonly JsonObject[];
  aiLimits?: NonNullable<RunRequest['aiLimits']>;
  /** Runs that an earlier attempt recorded. */
  done?: RunRequest['done'];
}

async function run({
  parameters,
  typeVersion = 1,
  answers = [],
  files = {},
  seenAs = (file) => file,
  nodes = {},
  key = 'key-1',
  items,
  aiLimits,
  done = [],
}: Use) {
  let origin = '';
  const server = await providerServer(
    geminiApi(() => origin),
    answers,
  );
  origin = server.origin;
  data['c1'] = { apiKey: key, host: origin, url: origin };
  const binary = memoryBinary();
  const stored = Object.entries(files).map(async ([fileName, content]) => {
    const reference = await binary.store(Buffer.from(content), { fileName });
    return [fileName.split('.')[0] ?? '', seenAs(reference)] as const;
  });
  const type = '@n8n/n8n-nodes-langchain.googleGemini';
  try {
    const { outcome, records } = await engine.run(
      { Gemini: { type, typeVersion, parameters, credentials: { googlePalmApi: 'c1' } }, ...nodes },
      items ?? [{ origin }],
      { binary, files: Object.fromEntries(await Promise.all(stored)), done, ...(aiLimits && { aiLimits }) },
    );
    const output: readonly Item[] = records.findLast(({ nodeName }) => nodeName === 'Gemini')?.run.data?.['main']?.[0] ?? [];
    const outputFiles = output.flatMap((item) => Object.entries(item.binary ?? {}));
    return {
      json: output.map((item) => item.json),
      files: await Promise.all(
        outputFiles.map(async ([name, file]) => [name, Buffer.from(await binary.read(file)).toString()]),
      ),
      received: server.received,
      records,
      metadata: records.findLast(({ nodeName }) => nodeName === 'Gemini')?.run.metadata,
      error: outcome.status === 'error' ? outcome.error : undefined,
    };
  } finally {
    await server.close();
  }
}

const modelId = { __rl: true, mode: 'list', value: 'models/gemini-2.5-flash' };
const ask = (content: string, more: JsonObject = {}) => ({ modelId, messages: { values: [{ content }] }, ...more });

describe('message', () => {
  test('the candidate is the item, and the options have the names of the API', async () => {
    const options = { systemMessage: 'Be brief', temperature: 0, maxOutputTokens: 9, thinkingBudget: 0 };
    const parameters = ask('Hi', { options, jsonOutput: true, builtInTools: { googleSearch: true } });
    const { json, received } = await run({ typeVersion: 1.1, parameters, answers: [{ text: '{}' }] });
    expect(json).toEqual([{ content: { role: 'model', parts: [{ text: '{}' }] }, index: 0, finishReason: 'STOP' }]);
    expect(received[0]).toMatchObject({ path: '/v1beta/models/gemini-2.5-flash:generateContent' });
    expect(received[0]?.body).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
      systemInstruction: { parts: [{ text: 'Be brief' }] },
      generationConfig: {
        temperature: 0,
        maxOutputTokens: 9,
        thinkingConfig: { thinkingBudget: 0 },
        responseMimeType: 'application/json',
      },
      tools: [{ googleSearch: {} }],
    });
    const whole = await run({ parameters: ask('Hi', { simplify: false }), answers: [{ text: 'a' }] });
    expect(whole.json).toMatchObject([{ candidates: [{}], usageMetadata: { totalTokenCount: 18 } }]);
  });

  test('tools run until the model answers', async () => {
    const adder: AiNode = {
      type: supplierType('adder', 'ai_tool', () => ({
        name: 'add',
        description: 'Adds',
        inputSchema: { type: 'object', properties: { a: { type: 'number' } } },
        run: async ({ a }: { a: number }) => ({ sum: a + 1 }),
      })) as NodeType,
      to: { Gemini: 'ai_tool' },
    };
    const answers = [{ calls: [{ name: 'add', input: { a: 1 } }] }, { text: '2' }];
    const { json, received } = await run({ parameters: ask('Add'), answers, nodes: { Adder: adder } });
    expect(json).toMatchObject([{ content: { parts: [{ text: '2' }] } }]);
    expect(received[1]?.body['contents']).toMatchObject([
      { role: 'user' },
      { role: 'model', parts: [{ functionCall: { name: 'add' } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'add', response: { result: '{"sum":2}' } } }] },
    ]);
  });
});

test('version 1.2 has its own default models', async () => {
  const messages = { values: [{ content: 'Hi' }] };
  const answered = await run({ typeVersion: 1.2, parameters: { messages }, answers: [{ text: 'a' }] });
  expect(answered.received[0]).toMatchObject({ path: '/v1beta/models/gemini-3-flash-preview:generateContent' });
  expect((await run({ typeVersion: 1.1, parameters: { messages } })).error).toMatchObject({ message: 'no model is chosen' });
  const image = { resource: 'image', prompt: 'a cat' };
  const drawn = await run({ typeVersion: 1.2, parameters: image, answers: [{ text: 'no image' }] });
  expect(drawn.received[0]).toMatchObject({ path: '/v1beta/models/gemini-3.1-flash-image-preview:generateContent' });
});

test('calls count toward the execution limits, and are in the run metadata', async () => {
  const aiLimits = { maxModelCalls: 2, maxToolCalls: 1, maxTokens: 1_000, maxCostUsd: 1 };
  const answers = [{ text: 'Hi' }];
  const usage = { inputTokens: 22, outputTokens: 14, totalTokens: 36 };
  const { metadata } = await run({ parameters: ask('Hi'), answers, items: [{}, {}], aiLimits });
  expect(metadata).toEqual({ models: [{ model: expect.stringContaining('models/gemini-'), calls: 2, usage }] });
  expect((await run({ parameters: ask('Hi'), answers, items: [{}, {}, {}], aiLimits })).error).toMatchObject({
    code: 'AI_LIMIT_REACHED',
  });
});

test.each([1, 1.1, 1.2])('version %d shows one field for the model, even if the operation is an expression', (typeVersion) => {
  const { properties } = googleGemini.description;
  const fieldsOf = (values: JsonObject) => {
    const parameters = withDefaults(properties, values, typeVersion);
    const scope = { siblings: parameters, parameters, typeVersion };
    return properties.filter(({ name, displayOptions }) => name === 'modelId' && isDisplayed(displayOptions, scope));
  };
  for (const resource of ['text', 'image', 'audio', 'document', 'video'])
    for (const operation of [undefined, 'generate', 'analyze', '={{ $json.operation }}'])
      expect([resource, operation, fieldsOf({ resource, ...(operation && { operation }) }).length]).toEqual([
        resource,
        operation,
        1,
      ]);
});

describe('videos', () => {
  const video = (prompt: string, more: JsonObject = {}): JsonObject => ({
    resource: 'video',
    modelId: 'veo-3.0-generate-001',
    prompt,
    ...more,
  });
  const options = { sampleCount: 1, durationSeconds: 8, aspectRatio: '16:9', personGeneration: 'allow_adult' };

  test('a video is a file or a URL', async () => {
    const { files, received } = await run({ parameters: video('waves', { options }) });
    expect(files).toEqual([['data', 'a film']]);
    expect(received[0]).toMatchObject({
      path: '/v1beta/models/veo-3.0-generate-001:predictLongRunning',
      body: { instances: [{ prompt: 'waves' }], parameters: options },
    });
    const { json } = await run({ parameters: video('waves', { returnAs: 'url' }) });
    expect(json).toEqual([{ url: expect.stringContaining('/v1beta/files/v1:download') }]);
  });

  test('after a worker crash, the run waits for the pending video instead of ordering it again', async () => {
    const use = { parameters: video('waves', { returnAs: 'url' }), items: [{}] };
    const { records } = await run(use);
    const { json, received } = await run({ ...use, done: records.filter(({ nodeName }) => nodeName !== 'Gemini') });
    expect(json).toEqual([{ url: expect.stringContaining('/v1beta/files/v1:download') }]);
    expect(received.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  test('a video is downloaded from the API, and no other host receives the key', async () => {
    const download = { resource: 'video', operation: 'download' };
    const url = '={{ $json.origin }}/v1beta/files/v1:download?alt=media';
    expect((await run({ parameters: { ...download, url } })).files).toEqual([['data', 'a film']]);
    const { error, received } = await run({ parameters: { ...download, url: 'https://evil.example/x' } });
    expect(error).toMatchObject({ message: expect.stringContaining('not a Gemini API URL') });
    expect(received).toEqual([]);
  });

  test.each([
    ['failing', 'too long'],
    ['refused', 'it shows a person'],
  ])('an operation that ends without a video (%s) says why', async (prompt, message) => {
    expect((await run({ parameters: video(prompt) })).error).toMatchObject({
      code: 'MODEL_FAILED',
      message: expect.stringContaining(message),
    });
  });
});

describe('media', () => {
  test.each(['image', 'audio', 'document', 'video'])('a question about the %s of an item sends the file', async (resource) => {
    const parameters = { resource, operation: 'analyze', modelId, text: 'What?', inputType: 'binary' };
    const { json, received } = await run({ parameters, files: { 'data.png': 'png' }, answers: [{ text: 'a cat' }] });
    expect(json).toMatchObject([{ content: { parts: [{ text: 'a cat' }] } }]);
    const parts = [{ inlineData: { mimeType: 'image/png', data: 'cG5n' } }, { text: 'What?' }];
    expect(received[0]?.body).toMatchObject({ contents: [{ role: 'user', parts }] });
  });

  test('a file of unknown size is uploaded, and used when Google has processed it', async () => {
    const parameters = { resource: 'video', operation: 'analyze', modelId, inputType: 'binary' };
    const seenAs = ({ fileSize: _, ...file }: BinaryReference) => file;
    const { received, json } = await run({ parameters, files: { 'data.mp4': 'film' }, seenAs, answers: [{ text: 'a film' }] });
    expect(json).toMatchObject([{ content: { parts: [{ text: 'a film' }] } }]);
    expect(received.map(({ path }) => path).slice(0, 3)).toEqual(['/upload/v1beta/files', '/upload/1', '/v1beta/files/1']);
    expect(received[1]?.body).toEqual({ text: 'film' });
    expect(received[3]?.body).toMatchObject({
      contents: [{ parts: [{ fileData: { mimeType: 'video/mp4', fileUri: expect.stringContaining('/files/1') } }, {}] }],
    });
  });

  test('YouTube URLs are passed to Google', async () => {
    const url = 'https://www.youtube.com/watch?v=1';
    const parameters = { resource: 'video', operation: 'analyze', modelId, videoUrls: url };
    const { received } = await run({ parameters, answers: [{ text: 'a film' }] });
    expect(received[0]?.body).toMatchObject({ contents: [{ parts: [{ fileData: { fileUri: url } }, {}] }] });
  });

  test('a file at another URL is read without the key', async () => {
    const parameters = { resource: 'document', modelId, documentUrls: '={{ $json.origin }}/file.txt' };
    const { json, received } = await run({ parameters, answers: [{ text: 'a note' }] });
    expect(received[0]).toMatchObject({ method: 'GET', path: '/file.txt' });
    expect(received[0]?.headers).not.toHaveProperty('x-goog-api-key');
    expect(received[1]?.body).toMatchObject({
      contents: [{ parts: [{ inlineData: { mimeType: 'text/plain', data: 'cmVtb3Rl' } }, {}] }],
    });
    expect(json).toMatchObject([{ content: { parts: [{ text: 'a note' }] } }]);
    const missing = { ...parameters, documentUrls: '={{ $json.origin }}/v1beta/none' };
    expect((await run({ parameters: missing })).error).toMatchObject({
      message: expect.stringContaining('responded with status'),
    });
  });

  test('speech becomes text', async () => {
    const parameters = { resource: 'audio', modelId, inputType: 'binary', options: { startTime: '00:10', endTime: '00:20' } };
    const { json, received } = await run({ parameters, files: { 'data.mp3': 'mp3' }, answers: [{ text: 'hello' }] });
    expect(json).toMatchObject([{ content: { parts: [{ text: 'hello' }] } }]);
    expect(JSON.stringify(received[0]?.body)).toContain('transcript of the speech from 00:10 until 00:20');
  });
});

describe('images', () => {
  test('Gemini generates and edits images', async () => {
    const drawn = await run({ parameters: { resource: 'image', prompt: 'a cat' } });
    expect(drawn.files).toEqual([['data', 'an image']]);
    const images = { values: [{ binaryPropertyName: 'cat' }] };
    const parameters = {
      resource: 'image',
      operation: 'edit',
      prompt: 'a hat',
      images,
      options: { binaryPropertyOutput: 'new' },
    };
    const edited = await run({ parameters, files: { 'cat.png': 'png' } });
    expect(edited.files).toEqual([['new', 'an image']]);
    expect(edited.received[0]?.body).toMatchObject({
      contents: [{ parts: [{ text: 'a hat' }, { inlineData: { mimeType: 'image/png' } }] }],
    });
  });

  test('Imagen generates several images', async () => {
    const options = { sampleCount: 2, aspectRatio: '16:9' };
    const parameters = { resource: 'image', modelId: 'models/imagen-4.0-generate-001', prompt: 'a cat', options };
    const { files, received } = await run({ parameters });
    expect(files).toHaveLength(2);
    expect(received[0]?.body).toEqual({ instances: [{ prompt: 'a cat' }], parameters: options });
  });
});

test('a file is uploaded', async () => {
  const { json } = await run({ parameters: { resource: 'file' }, files: { 'data.mp4': 'film' } });
  expect(json).toMatchObject([{ name: 'files/1', state: 'ACTIVE' }]);
});

test.each<[string, ServerAnswer, string]>([
  ['a rate limit', { status: 429, headers: { 'retry-after': '100' } }, 'Wait'],
  ['a filtered answer', { filtered: true }, 'filtered'],
  ['a filtered prompt', { malformed: '{"promptFeedback":{"blockReason":"SAFETY"}}' }, 'filtered'],
  ['an answer without candidates', { malformed: '{}' }, 'base URL'],
  ['a page of a proxy', { malformed: '<html>' }, 'base URL'],
])('%s fails with an error that says what to do', async (_, answer, hint) => {
  const { error, received } = await run({ parameters: ask('Hi'), answers: [answer] });
  expect(error).toMatchObject({ code: 'MODEL_FAILED', description: expect.stringContaining(hint) });
  expect(received).toHaveLength(1);
});

test('an error for a rejected key names the credential and never contains the key', async () => {
  const { error } = await run({ parameters: ask('Hi'), key: 'secret-9' });
  expect(error).toMatchObject({ description: expect.stringContaining('credential') });
  expect(JSON.stringify(error)).not.toContain('secret-9');
});

test.each<[JsonObject, string]>([
  [ask('Hi', { modelId: 'models/../files' }), 'is not a model name'],
  [{ modelId }, 'there is no message'],
  [{ resource: 'fileSearch' }, 'File Search of Gemini is not supported'],
  [{ resource: 'audio' }, 'there is no file'],
])('%j is refused before anything is sent', async (parameters, message) => {
  const { error, received } = await run({ parameters });
  expect(error).toMatchObject({ message: expect.stringContaining(message) });
  expect(received).toEqual([]);
});
