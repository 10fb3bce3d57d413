import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject, MethodContext } from '@sluice/node-sdk';
import { type FakeRun, runForJson, runNode } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { streamedOnly } from '../../testing/streamed-only.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { example } from './linked-in.example.ts';
import { linkedIn } from './linked-in.ts';
import { linkedInServer } from './testing/linked-in-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await linkedInServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const connected = { clientId: 'c', clientSecret: 's', oauthTokenData: { access_token: 't' } };
const credentials = { linkedInOAuth2Api: connected, linkedInCommunityManagementOAuth2Api: connected };
const runOf = (parameters: JsonObject, more: FakeRun = {}): FakeRun => ({
  parameters,
  http: server.http,
  credentials,
  ...more,
});
const requests = () => server.received.map(({ method, url }) => `${method} ${url}`);
const posted = () => JSON.parse(server.received.at(-1)?.body.toString() ?? '') as JsonObject;

async function withImage(parameters: JsonObject): Promise<JsonObject[]> {
  const binary = streamedOnly();
  const data = await binary.store(Buffer.from('bytes'), { fileName: 'a.png', mimeType: 'image/png' });
  return runForJson(linkedIn, runOf(parameters, { binary, inputs: [[{ json: {}, binary: { data } }]] }));
}

test.each<[JsonObject, JsonObject]>([
  [example.parameters, { author: 'urn:li:person:p1', commentary: String.raw`Hello \(world\)`, visibility: 'PUBLIC' }],
  [
    { postAs: 'organization', organization: '42', text: '#tag a_b', additionalFields: { visibility: 'CONNECTIONS' } },
    { author: 'urn:li:organization:42', commentary: String.raw`#tag a\_b`, visibility: 'CONNECTIONS' },
  ],
  [
    { authentication: 'communityManagement', postAs: 'organization', organization: 'urn:li:organization:42', text: 'x' },
    { author: 'urn:li:organization:42', commentary: 'x' },
  ],
  [
    {
      person: 'p1',
      text: 'Read',
      shareMediaCategory: 'ARTICLE',
      additionalFields: { originalUrl: 'https://a.example', title: 'T', description: 'D' },
    },
    { content: { article: { source: 'https://a.example', title: 'T', description: 'D' } } },
  ],
])('%j creates a post', async (parameters, expected) => {
  expect(await runForJson(linkedIn, runOf(parameters))).toEqual([{ urn: 'urn:li:share:1' }]);
  expect([requests(), posted()]).toMatchObject([['POST /rest/posts'], expected]);
});

test('without an ID, the author is the connected member', async () => {
  await runForJson(linkedIn, runOf({ text: 'x' }));
  expect([requests()[0], posted()['author']]).toEqual(['GET /v2/userinfo', 'urn:li:person:me']);
});

test('an image is uploaded, then posted', async () => {
  await withImage({ person: 'p1', text: 'Look', shareMediaCategory: 'IMAGE', additionalFields: { title: 'T' } });
  expect(requests()).toEqual(['POST /rest/images?action=initializeUpload', 'PUT /upload/1', 'POST /rest/posts']);
  expect(posted()['content']).toEqual({ media: { id: 'urn:li:image:1', title: 'T' } });
});

test('an article has a preview picture', async () => {
  const additionalFields = { originalUrl: 'https://a.example', thumbnailBinaryPropertyName: 'data' };
  await withImage({ person: 'p1', shareMediaCategory: 'ARTICLE', additionalFields });
  expect(posted()['content']).toEqual({
    article: { source: 'https://a.example', title: 'https://a.example', thumbnail: 'urn:li:image:1' },
  });
});

test('an article without a URL is rejected before a request', async () => {
  const run = runNode(linkedIn, runOf({ person: 'p1', shareMediaCategory: 'ARTICLE' }));
  await expect(run).rejects.toThrow('"additionalFields.originalUrl" is required');
  expect(server.received).toEqual([]);
});

const refusal = { status: 422, json: { status: 422, code: 'DUPLICATE_POST', message: 'Content is a duplicate' } };

test('an error includes the text and code from LinkedIn', async () => {
  server.on('POST /rest/posts', () => refusal);
  await expect(runNode(linkedIn, runOf(example.parameters))).rejects.toMatchObject({
    message: 'LinkedIn: Content is a duplicate (DUPLICATE_POST)',
    itemIndex: 0,
  });
});

test('only the failed item has an error if the node continues', async () => {
  server.on('POST /rest/posts', ({ count }) => (count === 1 ? refusal : { status: 201, headers: { 'x-restli-id': 'u' } }));
  const output = await runForJson(linkedIn, runOf(example.parameters, { json: [{}, {}], continueOnFail: true }));
  expect(output).toEqual([{ error: 'LinkedIn: Content is a duplicate (DUPLICATE_POST)' }, { urn: 'u' }]);
});

test('a rate-limited request is retried', async () => {
  server.on('POST /rest/posts', ({ count }) =>
    count === 1 ? { status: 429, headers: { 'retry-after': '0' } } : { status: 201, headers: { 'x-restli-id': 'u' } },
  );
  expect(await runForJson(linkedIn, runOf(example.parameters))).toEqual([{ urn: 'u' }]);
});

test('the connected member is listed', async () => {
  const context: MethodContext = webhookContext({ http: server.http, credentials });
  expect(await linkedIn.methods?.loadOptions?.['getPersonUrn']?.(context)).toEqual([{ name: 'Ann', value: 'me' }]);
});
