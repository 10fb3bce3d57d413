import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { type FakeRun, memoryBinary, runForJson, runNode } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './open-ai.example.ts';
import { openAi } from './open-ai.ts';
import { openAiServer } from './testing/open-ai-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await openAiServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const runOf = (parameters: JsonObject, more: FakeRun = {}): FakeRun => ({
  parameters,
  http: server.http,
  credentials: { openAiApi: { apiKey: 'sk-1' } },
  ...more,
});
const sent = () => server.received.map(({ url, body }) => [url, JSON.parse(body.toString()) as JsonObject]);
const chat = '/v1/chat/completions';
const hello = [{ role: 'user', content: 'Hello' }];
const rome = { index: 0, message: { role: 'assistant', content: 'Rome' }, finish_reason: 'stop' };

test('the example produces the documented result', async () => {
  expect(await runForJson(openAi, runOf(example.parameters))).toEqual(example.outputs?.[0]);
});

test.each<[string, JsonObject, string, JsonObject]>([
  ['messages of a prompt', { model: 'gpt-4', prompt: { messages: hello } }, chat, { model: 'gpt-4', messages: hello }],
  ['a role by default', { prompt: { messages: [{ content: 'Hello' }] } }, chat, { model: 'gpt-3.5-turbo', messages: hello }],
  ['messages in values', { messages: { values: hello } }, chat, { model: 'gpt-3.5-turbo', messages: hello }],
  ['a list of messages', { operation: 'create', messages: hello }, chat, { model: 'gpt-3.5-turbo', messages: hello }],
  ['a plain prompt', { prompt: 'Hello', chatModel: 'gpt-4o' }, chat, { model: 'gpt-4o', messages: hello }],
  [
    'a resource locator',
    { model: { __rl: true, mode: 'list', value: 'gpt-4o' }, prompt: 'Hello' },
    chat,
    { model: 'gpt-4o', messages: hello },
  ],
  [
    'options',
    {
      prompt: 'Hello',
      options: {
        temperature: 0,
        maxTokens: 9,
        topP: 0.5,
        n: 1,
        frequencyPenalty: 1,
        presencePenalty: 2,
        responseFormat: { type: 'json_object' },
      },
    },
    chat,
    {
      model: 'gpt-3.5-turbo',
      messages: hello,
      temperature: 0,
      max_tokens: 9,
      top_p: 0.5,
      n: 1,
      frequency_penalty: 1,
      presence_penalty: 2,
      response_format: { type: 'json_object' },
    },
  ],
  [
    'the limit of a reasoning model',
    { model: 'o3-mini', prompt: 'Hello', options: { maxTokens: 9 } },
    chat,
    { model: 'o3-mini', messages: hello, max_completion_tokens: 9 },
  ],
])('chat sends %s', async (_, parameters, url, body) => {
  expect(await runForJson(openAi, runOf({ resource: 'chat', ...parameters }))).toEqual([rome]);
  expect(sent()).toEqual([[url, body]]);
});

test.each<[JsonObject, string, JsonObject, JsonObject]>([
  [
    { prompt: 'The capital is', options: { bestOf: 2, echo: true, maxTokens: 5 } },
    '/v1/completions',
    { model: 'gpt-3.5-turbo-instruct', prompt: 'The capital is', best_of: 2, echo: true, max_tokens: 5 },
    { text: 'Rome', index: 0, finish_reason: 'stop' },
  ],
  [
    { operation: 'edit', model: 'text-davinci-edit-001', input: 'rome', instruction: 'Fix the case.' },
    chat,
    {
      model: 'gpt-4o-mini',
      messages: [
        { role: 'system', content: 'Change the text of the user. Answer with the changed text only. Fix the case.' },
        { role: 'user', content: 'rome' },
      ],
    },
    rome,
  ],
  [
    { operation: 'moderate', input: 'Hello' },
    '/v1/moderations',
    { model: 'omni-moderation-latest', input: 'Hello' },
    { flagged: false },
  ],
])('text: %j', async (parameters, url, body, expected) => {
  expect(await runForJson(openAi, runOf({ resource: 'text', ...parameters }))).toEqual([expected]);
  expect(sent()).toEqual([[url, body]]);
});

test.each<[JsonObject, JsonObject]>([
  [{ resource: 'chat', prompt: 'Hello' }, { choices: [rome] }],
  [{ prompt: 'Hello' }, { choices: [{ text: 'Rome' }] }],
  [{ operation: 'moderate', input: 'Hello' }, { results: [{ flagged: false }] }],
])('without "Simplify", the whole answer is the item: %j', async (parameters, expected) => {
  expect(await runForJson(openAi, runOf({ simplifyOutput: false, ...parameters }))).toMatchObject([expected]);
});

test('an image is a file, or a URL', async () => {
  const binary = memoryBinary();
  const parameters = { resource: 'image', prompt: 'a cat', options: { n: 2, size: '256x256' } };
  const [items] = await runNode(openAi, runOf(parameters, { binary }));
  const contents = (items ?? []).map(async (item) => Buffer.from(await binary.read(item.binary?.['data'] as never)).toString());
  expect(await Promise.all(contents)).toEqual(['image', 'image']);
  const urls = { resource: 'image', prompt: 'a cat', model: 'dall-e-3', responseFormat: 'imageUrl' };
  expect(await runForJson(openAi, runOf(urls))).toEqual([{ url: 'https://example.com/1.png' }]);
  const newer = { resource: 'image', prompt: 'a cat', imageModel: 'gpt-image-1', responseFormat: 'imageUrl' };
  const [outputItems] = await runNode(openAi, runOf(newer, { binary }));
  expect(outputItems?.[0]?.binary?.['data']).toMatchObject({ mimeType: 'image/png' });
  expect(sent().map(([, body]) => body)).toEqual([
    { model: 'dall-e-2', prompt: 'a cat', n: 2, size: '256x256', response_format: 'b64_json' },
    { model: 'dall-e-3', prompt: 'a cat', response_format: 'url' },
    { model: 'gpt-image-1', prompt: 'a cat' },
  ]);
});

test('without a message, nothing is sent', async () => {
  await expect(runNode(openAi, runOf({ resource: 'chat' }))).rejects.toMatchObject({ message: 'there is no message' });
});

test('an error includes the text and the code from OpenAI, and affects only its item if the node continues', async () => {
  const error = { message: 'The model `x` does not exist', code: 'model_not_found', type: 'invalid_request_error' };
  server.on(`POST ${chat}`, ({ count }) => (count === 2 ? { status: 404, json: { error } } : { json: { choices: [rome] } }));
  const run = runOf({ resource: 'chat', prompt: 'Hello' }, { json: [{}, {}], continueOnFail: true });
  expect(await runForJson(openAi, run)).toEqual([rome, { error: 'OpenAI: The model `x` does not exist (model_not_found)' }]);
});

test('a rate-limited question is retried', async () => {
  server.on(`POST ${chat}`, ({ count }) =>
    count === 1 ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : { json: { choices: [rome] } },
  );
  expect(await runForJson(openAi, runOf({ resource: 'chat', prompt: 'Hello' }))).toEqual([rome]);
});
