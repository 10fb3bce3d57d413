import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { HttpClient, JsonObject } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './jina-ai.example.ts';
import { jinaAi } from './jina-ai.ts';
import { jinaAiServer, jinaResearchServer, jinaSearchServer } from './testing/jina-ai-server.ts';

let reader: ApiServer;
let search: ApiServer;
let research: ApiServer;
let http: HttpClient;
beforeAll(async () => {
  [reader, search, research] = await Promise.all([jinaAiServer(), jinaSearchServer(), jinaResearchServer()]);
  const serverOf = (url: string) => [search, research].find(({ baseUrl }) => baseUrl && url.startsWith(baseUrl)) ?? reader;
  http = { ...reader.http, request: (request, signal) => serverOf(request.url).http.request(request, signal) };
});
afterEach(() => {
  for (const one of [reader, search, research]) one.verify();
});
afterAll(() => Promise.all([reader, search, research].map((server) => server.close())));

const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(jinaAi, { parameters, http, credentials: { jinaAiApi: { apiKey: 'k1' } }, ...more });

test('the example', async () => {
  expect(await run(example.parameters)).toEqual(example.outputs?.[0]);
  expect(reader.received[0]?.headers).toMatchObject({ 'x-return-format': 'markdown' });
});

test('options are headers of the request; an option that is not set is not sent', async () => {
  const options = { targetSelector: 'main', excludeSelector: 'nav', waitForSelector: '#ready', enableImageCaptioning: true };
  await run({ url: 'https://example.com/', options });
  expect(reader.received[0]?.headers).toMatchObject({
    'x-target-selector': 'main',
    'x-remove-selector': 'nav',
    'x-wait-for-selector': '#ready',
    'x-with-generated-alt': 'true',
  });
  expect(reader.received[0]?.headers).not.toHaveProperty('x-return-format');
});

test('the whole response is one item without "Simplify"', async () => {
  expect(await run({ url: 'https://example.com/', simplify: false })).toMatchObject([
    { code: 200, data: { title: 'Example Domain' } },
  ]);
});

test('a search returns an item for each result', async () => {
  expect(await run({ operation: 'search', searchQuery: 'x' })).toMatchObject([
    { url: 'https://a.example' },
    { url: 'https://b.example' },
  ]);
});

test('research returns the answer with its sources', async () => {
  expect(await run({ resource: 'research', researchQuery: 'What is the answer?' })).toEqual([
    { content: '42', annotations: [] },
  ]);
  expect(await run({ resource: 'research', researchQuery: 'x', simplify: false })).toMatchObject([
    { usage: { total_tokens: 7 } },
  ]);
});

test('an error includes the text from Jina AI; a failed item does not affect the others', async () => {
  reader.on('POST /', ({ count }) =>
    count === 1
      ? { status: 422, json: { code: 422, readableMessage: 'AssertionFailureError: Failed to goto' } }
      : { json: { data: { url: 'b' } } },
  );
  expect(await run({ url: 'https://a.example' }, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'Jina AI: AssertionFailureError: Failed to goto (422)' },
    { url: 'b' },
  ]);
});

test.each<JsonObject>([{}, { operation: 'search' }, { resource: 'research' }])(
  '%j is refused before a request',
  async (parameters) => {
    await expect(run(parameters)).rejects.toThrow(/is required/);
  },
);
