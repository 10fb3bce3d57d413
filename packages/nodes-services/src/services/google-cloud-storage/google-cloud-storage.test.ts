import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { type FakeRun, memoryBinary, runForJson, runNode } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './google-cloud-storage.example.ts';
import { googleCloudStorage } from './google-cloud-storage.ts';
import { googleCloudStorageServer } from './testing/google-cloud-storage-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await googleCloudStorageServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { googleCloudStorageOAuth2Api: { oauthTokenData: { access_token: 'ya29' } } };
const context = (parameters: JsonObject, more: FakeRun = {}): FakeRun => ({
  parameters,
  http: server.http,
  credentials,
  ...more,
});
const run = (parameters: JsonObject, more: FakeRun = {}) => runForJson(googleCloudStorage, context(parameters, more));
const sent = () => server.received.map(({ method, url }) => `${method} ${decodeURIComponent(url)}`);
const object = { resource: 'object', bucketName: 'reports', objectName: '2026/a.txt' };

test('the example', async () => {
  expect(await run(example.parameters)).toEqual(example.outputs?.[0]);
  expect(server.received[1]?.body.toString()).toBe('Hello');
});

test('a file of the item becomes an object with its type and metadata', async () => {
  const binary = memoryBinary();
  const data = await binary.store(Buffer.from('{}'), { fileName: 'a.json', mimeType: 'application/json' });
  const createData = { metadata: '{"source":"shop"}' };
  const parameters = { ...object, operation: 'create', createData, createQuery: { predefinedAcl: 'private' } };
  expect(await run(parameters, { binary, inputs: [[{ json: {}, binary: { data } }]] })).toEqual([
    { bucket: 'reports', name: '2026/a.txt', contentType: 'application/json', metadata: { source: 'shop' }, size: '2' },
  ]);
});

test('an object is read as metadata, or as a file', async () => {
  expect(await run({ ...object, operation: 'get' })).toEqual([{ bucket: 'reports', name: '2026/a.txt' }]);
  const [items] = await runNode(googleCloudStorage, context({ ...object, operation: 'get', alt: 'media' }));
  expect(items?.[0]?.binary?.['data']).toMatchObject({ fileName: 'a.txt', mimeType: 'text/plain' });
  expect(sent().at(-1)).toBe('GET /storage/v1/b/reports/o/2026/a.txt?alt=media');
});

test.each<[JsonObject, string[]]>([
  [{ projectId: 'p', returnAll: true }, ['b1', 'b2']],
  [{ projectId: 'p', limit: 1 }, ['b1']],
  [{ resource: 'object', bucketName: 'b', returnAll: true, listFilters: { prefix: 'a/' } }, ['o1', 'o2']],
])('a list is read to its end, or to the limit: %j', async (parameters, names) => {
  expect((await run(parameters)).map(({ name }) => name)).toEqual(names);
});

test('a bucket is created in two regions, given as text or as a list', async () => {
  const create = (dataLocations: string | string[]) =>
    run({ operation: 'create', projectId: 'p', bucketName: 'b', createAcl: {}, createBody: { dataLocations } });
  const expected = { kind: 'storage#bucket', name: 'b', customPlacementConfig: { dataLocations: ['EUROPE-WEST1'] } };
  expect(await create('["EUROPE-WEST1"]')).toEqual([expected]);
  expect(await create(['EUROPE-WEST1'])).toEqual([expected]);
});

test('buckets and objects are read, changed, and deleted', async () => {
  const bucket = { bucketName: 'b' };
  expect(await run({ ...bucket, operation: 'get' })).toEqual([{ name: 'b' }]);
  expect(await run({ ...bucket, operation: 'update', createBody: { labels: '{"a":"b"}' } })).toEqual([{ labels: { a: 'b' } }]);
  expect(await run({ ...bucket, operation: 'delete' })).toEqual([{ success: true }]);
  const createData = { cacheControl: 'no-store' };
  expect(await run({ ...object, operation: 'update', createData })).toEqual([createData]);
  expect(await run({ ...object, operation: 'delete' })).toEqual([{ success: true }]);
});

test('an error includes the text and status from Google; a failed item does not affect the others', async () => {
  server.on('GET /storage/v1/b/:bucket', ({ count }) =>
    count === 1
      ? { status: 404, json: { error: { code: 404, message: 'The bucket does not exist.', errors: [{ reason: 'notFound' }] } } }
      : { json: { name: 'b' } },
  );
  expect(await run({ operation: 'get', bucketName: 'b' }, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'Google Cloud Storage: The bucket does not exist. (notFound)' },
    { name: 'b' },
  ]);
});

test.each<JsonObject>([{}, { operation: 'get' }, { resource: 'object', operation: 'get', bucketName: 'b' }])(
  '%j is refused before a request',
  async (parameters) => {
    await expect(run(parameters)).rejects.toThrow(/is required/);
    expect(server.received).toEqual([]);
  },
);
