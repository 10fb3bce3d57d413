import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { type FakeRun, memoryBinary, runForJson, runNode } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './facebook-graph-api.example.ts';
import { facebookGraphApi } from './facebook-graph-api.ts';
import { facebookServer } from './testing/facebook-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await facebookServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const runOf = (parameters: JsonObject, more: FakeRun = {}): FakeRun => ({
  parameters,
  http: server.http,
  credentials: { facebookGraphApi: { accessToken: 'EAA' } },
  ...more,
});
const requests = () => server.received.map(({ method, url }) => `${method} ${url}`);

test.each<[JsonObject, string, JsonObject]>([
  [{ node: 'me' }, 'GET /me?access_token=EAA', { id: '1', name: 'Ann' }],
  [
    { node: 'me', options: { fields: { field: [{ name: 'id' }, { name: 'name' }] } } },
    'GET /me?fields=id%2Cname&access_token=EAA',
    { id: '1', name: 'Ann' },
  ],
  [
    {
      node: '/77/',
      edge: 'photos',
      graphApiVersion: 'v22.0',
      options: { queryParametersJson: '{"limit": 5}', queryParameters: { parameter: [{ name: 'fields', value: 'id' }] } },
    },
    'GET /v22.0/77/photos?fields=id&limit=5&access_token=EAA',
    { data: [{ id: 'p' }], paging: {} },
  ],
  [
    { node: '77/photos?limit=5', graphApiVersion: 'v22.0' },
    'GET /v22.0/77/photos?limit=5&access_token=EAA',
    { data: [{ id: 'p' }], paging: {} },
  ],
  [
    {
      node: '77',
      edge: 'media_publish',
      graphApiVersion: 'v23.0',
      httpRequestMethod: 'POST',
      options: { queryParametersJson: { creation_id: ['1', '2'] } },
    },
    'POST /v23.0/77/media_publish?creation_id=%5B%221%22%2C%222%22%5D&access_token=EAA',
    { id: '17900000000000000' },
  ],
  [{ node: '9', httpRequestMethod: 'DELETE' }, 'DELETE /9?access_token=EAA', { value: true }],
])('%j sends %s', async (parameters, request, expected) => {
  expect(await runForJson(facebookGraphApi, runOf(parameters))).toEqual([expected]);
  expect(requests()).toEqual([request]);
});

test.each([
  ['picture', { file: { name: 'a.png', type: 'image/png', text: 'bytes' } }],
  ['source:picture', { source: { name: 'a.png', type: 'image/png', text: 'bytes' } }],
])('files of the item are uploaded: %s', async (binaryPropertyName, got) => {
  const binary = memoryBinary();
  const picture = await binary.store(Buffer.from('bytes'), { fileName: 'a.png' });
  const parameters = {
    httpRequestMethod: 'POST',
    node: 'me',
    edge: 'photos',
    sendBinaryData: true,
    binaryPropertyName,
    options: { queryParameters: { parameter: [{ name: 'caption', value: 'A' }] } },
  };
  const run = runOf(parameters, { binary, inputs: [[{ json: {}, binary: { picture } }]] });
  expect(await runForJson(facebookGraphApi, run)).toEqual([{ id: '5', got }]);
});

test('videos are uploaded to their own host', async () => {
  const videos = await facebookServer('https://graph-video.facebook.com');
  const parameters = { hostUrl: 'graph-video.facebook.com', node: 'me' };
  expect(await runForJson(facebookGraphApi, runOf(parameters, { http: videos.http }))).toEqual([{ id: '1', name: 'Ann' }]);
  videos.verify();
  await videos.close();
});

test('an error includes the user message and the code from Facebook', async () => {
  const error = { message: 'Invalid parameter', type: 'OAuthException', code: 100, error_user_msg: 'The media is not ready' };
  server.on('POST /v23.0/:account/media_publish', () => ({ status: 400, json: { error } }));
  const run = runOf({
    ...example.parameters,
    options: { queryParameters: { parameter: [{ name: 'creation_id', value: '1' }] } },
  });
  await expect(runNode(facebookGraphApi, run)).rejects.toMatchObject({
    code: 'NODE_API_ERROR',
    message: 'Facebook: The media is not ready (100)',
    details: { status: 400, code: 100 },
  });
});

const throttled = (code: number) => ({ status: 400, json: { error: { message: `(#${code}) Limit reached`, code } } });

test.each([4, 17, 32, 613])('a rate-limited request is retried: %d', async (code) => {
  server.on('GET /me', ({ count }) =>
    count === 1 ? { ...throttled(code), headers: { 'retry-after': '0' } } : { json: { id: '1' } },
  );
  expect(await runForJson(facebookGraphApi, runOf({ node: 'me' }))).toEqual([{ id: '1' }]);
});

test('a persistent rate limit is an error with advice', async () => {
  server.on('GET /me', () => ({ ...throttled(4), headers: { 'retry-after': '3600' } }));
  await expect(runNode(facebookGraphApi, runOf({ node: 'me' }))).rejects.toMatchObject({
    message: 'Facebook: (#4) Limit reached (4)',
    description: expect.stringMatching(/^Meta counts the requests of the last hour.* again in 3600 seconds$/),
  });
  expect(server.received).toHaveLength(1);
});

test('only the failed item has an error if the node continues', async () => {
  const parameters = (index: number) => ({ node: ['me', ''][index] ?? '' });
  const run = { ...runOf({}), parameters, json: [{}, {}], continueOnFail: true };
  expect(await runForJson(facebookGraphApi, run)).toEqual([
    { id: '1', name: 'Ann' },
    { error: expect.stringContaining('"node" is required') },
  ]);
});

test('query parameters that are not an object are rejected', async () => {
  await expect(runNode(facebookGraphApi, runOf({ node: 'me', options: { queryParametersJson: '[1]' } }))).rejects.toThrow(
    'options.queryParametersJson',
  );
});
