import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { type FakeRun, memoryBinary, runForJson, runNode } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { streamedOnly } from '../../testing/streamed-only.ts';
import { example } from './microsoft-one-drive.example.ts';
import { microsoftOneDrive } from './microsoft-one-drive.ts';
import { oneDriveServer } from './testing/one-drive-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await oneDriveServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const refusal = { status: 404, json: { error: { code: 'itemNotFound', message: 'Item does not exist' } } };
const connected = { clientId: 'c', clientSecret: 's', oauthTokenData: { access_token: 't' } };
const credentials = { microsoftOneDriveOAuth2Api: connected };
const runOf = (parameters: JsonObject, more: FakeRun = {}): FakeRun => ({
  parameters,
  http: server.http,
  credentials,
  ...more,
});
const sent = () =>
  server.received.map(({ method, url, body }): [string, JsonValue] => {
    const content = body.toString();
    return [
      `${method} ${decodeURIComponent(url.replace('/v1.0/me/drive', ''))}`,
      content.startsWith('{') ? JSON.parse(content) : content,
    ];
  });

test.each<[JsonObject, [string, JsonValue][]]>([
  [example.parameters, [['PUT /items/root:/a b.txt:/content', 'Hello']]],
  [{ fileName: 'x', parentId: 'd1', fileContent: 'y' }, [['PUT /items/d1:/x:/content', 'y']]],
  [{ operation: 'get', fileId: 'i1' }, [['GET /items/i1', '']]],
  [{ operation: 'delete', fileId: 'i1' }, [['DELETE /items/i1', '']]],
  [{ operation: 'rename', itemId: 'i1', newName: 'n' }, [['PATCH /items/i1', { name: 'n' }]]],
  [
    { operation: 'copy', fileId: 'i1', additionalFields: { name: 'n' }, parentReference: { id: 'd1' } },
    [['POST /items/i1/copy', { name: 'n', parentReference: { id: 'd1' } }]],
  ],
  [
    { operation: 'share', fileId: 'i1', type: 'edit', scope: 'organization' },
    [['POST /items/i1/createLink', { type: 'edit', scope: 'organization' }]],
  ],
  [{ operation: 'search', query: "o'neil" }, [["GET /root/search(q='o''neil')", '']]],
  [{ resource: 'folder', folderId: 'd1' }, [['GET /items/d1/children', '']]],
  [{ resource: 'folder', operation: 'delete', folderId: 'd1' }, [['DELETE /items/d1', '']]],
  [{ resource: 'folder', operation: 'rename', folderId: 'd1', newName: 'n' }, [['PATCH /items/d1', { name: 'n' }]]],
  [
    { resource: 'folder', operation: 'create', name: 'a/b' },
    [
      ['GET /items/root:/a:', ''],
      ['POST /items/d5/children', { name: 'b', folder: {}, '@microsoft.graph.conflictBehavior': 'fail' }],
    ],
  ],
  [
    { resource: 'folder', operation: 'create', name: 'a', options: { parentFolderId: 'd2' } },
    [['POST /items/d2/children', { name: 'a', folder: {}, '@microsoft.graph.conflictBehavior': 'fail' }]],
  ],
  [
    { resource: 'folder', operation: 'share', folderId: 'd1' },
    [['POST /items/d1/createLink', { type: 'view', scope: 'anonymous' }]],
  ],
])('%j sends %j', async (parameters, expected) => {
  expect(await runForJson(microsoftOneDrive, runOf(parameters))).not.toEqual([]);
  expect(sent()).toEqual(expected);
});

test('a search returns files or folders', async () => {
  expect(await runForJson(microsoftOneDrive, runOf({ operation: 'search', query: 'a' }))).toMatchObject([{ id: 'i1' }]);
  const folders = runOf({ resource: 'folder', operation: 'search', query: 'a' });
  expect(await runForJson(microsoftOneDrive, folders)).toEqual([{ id: 'd1', folder: {} }]);
});

test('folders that do not exist are created', async () => {
  server.on('GET /v1.0/me/drive/items/:parent::/:name::', () => refusal);
  await runForJson(microsoftOneDrive, runOf({ resource: 'folder', operation: 'create', name: 'a/b' }));
  expect(sent().map(([request]) => request)).toEqual([
    'GET /items/root:/a:',
    'POST /items/root/children',
    'POST /items/d1/children',
  ]);
});

test('a file of the item is uploaded as a stream', async () => {
  const binary = streamedOnly();
  const data = await binary.store(Buffer.from('bytes'), { fileName: 'a.txt', mimeType: 'text/plain' });
  const run = runOf({ binaryData: true }, { binary, inputs: [[{ json: {}, binary: { data } }]] });
  await runForJson(microsoftOneDrive, run);
  expect(sent()).toEqual([['PUT /items/root:/a.txt:/content', 'bytes']]);
});

test('a file is downloaded with its name and type', async () => {
  const binary = memoryBinary();
  const [items] = await runNode(microsoftOneDrive, runOf({ operation: 'download', fileId: 'i1' }, { binary }));
  const file = items?.[0]?.binary?.['data'];
  expect(file).toMatchObject({ fileName: 'a.txt', mimeType: 'text/plain' });
  expect(Buffer.from(await binary.read(file as never)).toString()).toBe('Hello');
});

test('a list is read to its end', async () => {
  const next = 'https://graph.microsoft.com/v1.0/me/drive/items/d1/children?$skiptoken=2';
  server.on('GET /v1.0/me/drive/items/:id/children', ({ query }) => ({
    json: query['$skiptoken'] ? { value: [{ id: '2' }] } : { value: [{ id: '1' }], '@odata.nextLink': next },
  }));
  const output = await runForJson(microsoftOneDrive, runOf({ resource: 'folder', folderId: 'd1' }));
  expect(output).toEqual([{ id: '1' }, { id: '2' }]);
});

const route = 'PUT /v1.0/me/drive/items/:parent::/:name::/content';

test('an error includes text and code, and the node may continue', async () => {
  server.on(route, ({ count }) => (count === 1 ? refusal : { json: { id: 'i2' } }));
  const run = runOf(example.parameters, { json: [{}, {}], continueOnFail: true });
  expect(await runForJson(microsoftOneDrive, run)).toEqual([
    { error: 'Microsoft OneDrive: Item does not exist (itemNotFound)' },
    { id: 'i2' },
  ]);
});

test('a rate-limited request is retried', async () => {
  server.on(route, ({ count }) => (count === 1 ? { status: 429, headers: { 'retry-after': '0' } } : { json: { id: 'i2' } }));
  expect(await runForJson(microsoftOneDrive, runOf(example.parameters))).toEqual([{ id: 'i2' }]);
});

test('the path of a new folder is never cut off', async () => {
  const parameters = { resource: 'folder', operation: 'create', name: `a/${'b'.repeat(400)}` };
  await expect(runNode(microsoftOneDrive, runOf(parameters))).rejects.toThrow('the path has more than 400 characters');
  expect(server.received).toEqual([]);
});

test('a file without a name is rejected before a request', async () => {
  await expect(runNode(microsoftOneDrive, runOf({ fileContent: 'x' }))).rejects.toThrow('the file has no name');
  expect(server.received).toEqual([]);
});
