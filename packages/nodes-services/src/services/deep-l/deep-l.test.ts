import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './deep-l.example.ts';
import { deepL } from './deep-l.ts';
import { deepLFreeServer, deepLServer } from './testing/deep-l-server.ts';

let server: ApiServer;
let free: ApiServer;
beforeAll(async () => {
  [server, free] = await Promise.all([deepLServer(), deepLFreeServer()]);
});
afterEach(() => {
  for (const one of [server, free]) one.verify();
});
afterAll(() => Promise.all([server.close(), free.close()]));

const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(deepL, { parameters, http: server.http, credentials: { deepLApi: { apiKey: 'k1' } }, ...more });
const sent = () => server.received.map(({ body }) => JSON.parse(body.toString()));
const parameters = { ...example.parameters, text: 'Hello, world!' };

test('the example', async () => {
  expect(await run(parameters)).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual([{ text: ['Hello, world!'], target_lang: 'FR', formality: 'prefer_more' }]);
});

test('additional fields are sent under their names in the API', async () => {
  const additionalFields = {
    sourceLang: 'en',
    splitSentences: 'nonewlines',
    preserveFormatting: true,
    tagHandling: 'html',
    context: 'A greeting',
    glossaryId: 'g1',
  };
  await run({ text: 5, translateTo: ' en-us ', additionalFields });
  expect(sent()).toEqual([
    {
      text: ['5'],
      target_lang: 'EN-US',
      source_lang: 'EN',
      split_sentences: 'nonewlines',
      preserve_formatting: true,
      tag_handling: 'html',
      context: 'A greeting',
      glossary_id: 'g1',
    },
  ]);
});

test('a key of the free plan goes to the address of that plan only', async () => {
  expect(await run(parameters, { http: free.http, credentials: { deepLApi: { apiKey: 'k2:fx' } } })).toHaveLength(1);
  expect([server.received.length, free.received.length]).toEqual([0, 1]);
});

test.each<[JsonObject, string]>([
  [{ translateTo: 'FR' }, 'the parameter "text" is required'],
  [{ text: 'x' }, 'the parameter "translateTo" is required'],
])('%j is refused before a request', async (incomplete, message) => {
  await expect(run(incomplete)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('an error includes the text from DeepL; a rate-limited request is retried', async () => {
  server.on('POST /v2/translate', ({ count }) => {
    if (count === 1) return { status: 400, json: { message: "Value for 'target_lang' not supported." } };
    if (count === 2) return { status: 456, json: { message: 'Quota exceeded' } };
    return count === 3
      ? { status: 429, headers: { 'retry-after': '0' }, json: {} }
      : { json: { translations: [{ text: 'x' }] } };
  });
  expect(await run(parameters, { json: [{}, {}, {}], continueOnFail: true })).toEqual([
    { error: "DeepL: Value for 'target_lang' not supported. (400)" },
    { error: 'DeepL: the quota of the account is used up (456)' },
    { text: 'x' },
  ]);
});
