import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { HttpClient, JsonObject, JsonValue, MethodContext } from '@sluice/node-sdk';
import { type FakeRun, memoryBinary, runForJson, runNode } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { example } from './google-slides.example.ts';
import { googleSlides } from './google-slides.ts';
import { googleSlidesServer, slideImageServer } from './testing/google-slides-server.ts';

let server: ApiServer;
let images: ApiServer;
let http: HttpClient;
beforeAll(async () => {
  server = await googleSlidesServer();
  images = await slideImageServer();
  const clientOf = (url: string) => (url.startsWith(String(images.baseUrl)) ? images.http : server.http);
  http = {
    ...server.http,
    request: (request, signal) => clientOf(request.url).request(request, signal),
    stream: (request, signal, read) => clientOf(request.url).stream(request, signal, read),
  };
});
afterEach(() => {
  server.verify();
  images.verify();
});
afterAll(() => Promise.all([server.close(), images.close()]));

const credentials = {
  googleSlidesOAuth2Api: { oauthTokenData: { access_token: 'ya29' } },
  googleApi: { oauthTokenData: { access_token: 'ya29' } },
};
const runOf = (parameters: JsonObject, more: FakeRun = {}): FakeRun => ({
  parameters: { presentationId: 'p1', ...parameters },
  http,
  credentials,
  ...more,
});
const run = (parameters: JsonObject, more?: FakeRun) => runForJson(googleSlides, runOf(parameters, more));
const sent = () =>
  server.received.map(({ method, url, body }): JsonValue[] => [
    `${method} ${url.replace('/v1/presentations', '')}`,
    body.length > 0 ? JSON.parse(body.toString()) : null,
  ]);
const replacement = (text: string, replaceText: string, more: JsonObject = {}) => ({
  replaceAllText: { containsText: { text, matchCase: false }, replaceText, pageObjectIds: [], ...more },
});
const page = { resource: 'page', pageObjectId: 'g1' };

test('the example', async () => {
  const textUi = { textValues: [{ text: '[ NAME ]', replaceText: 'Ada' }] };
  expect(await run({ ...example.parameters, textUi })).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual([['POST /p1:batchUpdate', { requests: [replacement('[ NAME ]', 'Ada')] }]]);
});

test.each<[JsonObject, string, JsonValue]>([
  [{ title: 'Plan' }, 'POST ', { title: 'Plan' }],
  [{ operation: 'get', presentationId: 'https://docs.google.com/presentation/d/1a-B/edit#slide=id.p' }, 'GET /1a-B', null],
  [
    {
      operation: 'replaceText',
      textUi: {
        textValues: [
          { text: 'A', replaceText: '', matchCase: true, pageObjectIds: ['g1'] },
          { text: 'B', replaceText: 'C' },
        ],
      },
      options: { revisionId: 'r1' },
    },
    'POST /p1:batchUpdate',
    {
      requests: [
        replacement('A', '', { containsText: { text: 'A', matchCase: true }, pageObjectIds: ['g1'] }),
        replacement('B', 'C'),
      ],
      writeControl: { requiredRevisionId: 'r1' },
    },
  ],
  [{ ...page, operation: 'get' }, 'GET /p1/pages/g1', null],
  [{ ...page, operation: 'getThumbnail' }, 'GET /p1/pages/g1/thumbnail', null],
])('%j is one request', async (parameters, request, body) => {
  expect(await run(parameters)).toHaveLength(1);
  expect(sent()).toEqual([[request, body]]);
});

test('each slide is an item, up to the limit', async () => {
  expect(await run({ operation: 'getSlides' })).toEqual([{ objectId: 'g1' }, { objectId: 'g2' }]);
  expect(await run({ operation: 'getSlides', limit: 1 })).toEqual([{ objectId: 'g1' }]);
  expect(sent()[0]?.[0]).toBe('GET /p1?fields=slides');
});

test('a page’s image is downloaded without the credential', async () => {
  const binary = memoryBinary();
  const parameters = { ...page, operation: 'getThumbnail', download: true, binaryProperty: 'image' };
  const outputs = await runNode(googleSlides, runOf(parameters, { binary }));
  const item = outputs[0]?.[0];
  expect(item?.json).toMatchObject({ width: 1600 });
  expect(item?.binary?.['image']).toMatchObject({ fileName: 'g1.png', mimeType: 'image/png' });
  expect(images.received).toHaveLength(1);
});

test('version 1 uses a service account by default', () => {
  const credentialsOf = (typeVersion: number) =>
    googleSlides.description.properties.find(
      ({ name, displayOptions }) =>
        name === 'authentication' && displayOptions?.show?.['@version']?.includes(typeVersion) === true,
    )?.default;
  expect([credentialsOf(1), credentialsOf(2)]).toEqual(['serviceAccount', 'oAuth2']);
});

test.each<[JsonObject, string]>([
  [{ operation: 'get', presentationId: '' }, 'the parameter "presentationId" is required'],
  [{ operation: 'replaceText', textUi: {} }, 'there is no text to replace'],
  [{ title: '' }, 'the parameter "title" is required'],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('an error includes the reason from Google; a failed item does not affect the others, and a request over the quota is retried', async () => {
  server.on('GET /v1/presentations/:id/pages/:page', ({ count }) => {
    if (count === 1) return { status: 404, json: { error: { code: 404, message: 'Not found', status: 'NOT_FOUND' } } };
    return count === 2 ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : { json: { objectId: 'g1' } };
  });
  expect(await run({ ...page, operation: 'get' }, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'Google Slides: Not found (NOT_FOUND)' },
    { objectId: 'g1' },
  ]);
});

test('editors choose slides', async () => {
  const context = (parameters: JsonObject): MethodContext => webhookContext({ http: server.http, credentials, parameters });
  const getPages = googleSlides.methods?.loadOptions?.['getPages'];
  expect(await getPages?.(context({ presentationId: 'p1' }))).toEqual([
    { name: 'g1', value: 'g1' },
    { name: 'g2', value: 'g2' },
  ]);
  expect(await getPages?.(context({}))).toEqual([]);
});
