import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { HttpClient, JsonObject } from '@sluice/node-sdk';
import { type FakeRun, memoryBinary, runForJson, runNode } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './box.example.ts';
import { box } from './box.ts';
import { boxServer, boxUploadServer } from './testing/box-server.ts';

let server: ApiServer;
let uploads: ApiServer;
let http: HttpClient;
beforeAll(async () => {
  [server, uploads] = await Promise.all([boxServer(), boxUploadServer()]);
  const of = ({ url }: { url: string }) => (url.startsWith('https://upload.box.com') ? uploads : server).http;
  http = { ...server.http, request: (request, signal) => of(request).request(request, signal) };
});
afterEach(() => {
  for (const one of [server, uploads]) one.verify();
});
afterAll(() => Promise.all([server.close(), uploads.close()]));

const credentials = { boxOAuth2Api: { oauthTokenData: { access_token: 't' } } };
const context = (parameters: JsonObject, more: FakeRun = {}): FakeRun => ({ parameters, http, credentials, ...more });
const run = (parameters: JsonObject, more: FakeRun = {}) => runForJson(box, context(parameters, more));
const sent = () =>
  server.received.map(({ method, url, body }) => [
    `${method} ${decodeURIComponent(url.replace('/2.0', ''))}`,
    ...(body.length > 0 ? [JSON.parse(body.toString())] : []),
  ]);

test('the example', async () => {
  expect(await run(example.parameters)).toEqual(example.outputs?.[0]);
  const form = uploads.received[0]?.body.toString();
  expect(form).toContain('{"name":"notes.txt","parent":{"id":"0"}}');
  expect(form).toContain('Remember the milk.');
});

test('a file of the item is uploaded under its own name, or another one', async () => {
  const binary = memoryBinary();
  const data = await binary.store(Buffer.from('pdf'), { fileName: 'a.pdf' });
  const inputs = [[{ json: {}, binary: { data } }]];
  expect(await run({ binaryData: true, parentId: 5 }, { binary, inputs })).toMatchObject([{ name: 'a.pdf' }]);
  expect(await run({ binaryData: true, fileName: 'b.pdf' }, { binary, inputs })).toMatchObject([{ name: 'b.pdf' }]);
  expect(uploads.received[0]?.body.toString()).toContain('"parent":{"id":"5"}');
});

test('a download gets the name of the file, and the type of that name', async () => {
  const [items = []] = await runNode(box, context({ operation: 'download', fileId: '7' }));
  expect(items?.[0]?.binary?.['data']).toMatchObject({ fileName: 'a.pdf', mimeType: 'application/pdf', fileSize: 3 });
});

test.each<[JsonObject, unknown[]]>([
  [{ operation: 'get', fileId: 7 }, ['GET /files/7']],
  [{ operation: 'get', fileId: '7', additionalFields: { fields: 'id, name' } }, ['GET /files/7?fields=id,name']],
  [{ operation: 'delete', fileId: '7' }, ['DELETE /files/7']],
  [
    { operation: 'copy', fileId: '7', parentId: '5', additionalFields: { name: 'c.pdf', fields: 'id' } },
    ['POST /files/7/copy?fields=id', { name: 'c.pdf', parent: { id: '5' } }],
  ],
  [{ resource: 'folder', name: 'Reports', options: {} }, ['POST /folders', { name: 'Reports', parent: { id: '0' } }]],
  [{ resource: 'folder', operation: 'get', folderId: '9' }, ['GET /folders/9']],
  [{ resource: 'folder', operation: 'delete', folderId: '9' }, ['DELETE /folders/9?recursive=false']],
  [{ resource: 'folder', operation: 'delete', folderId: '9', recursive: true }, ['DELETE /folders/9?recursive=true']],
  [
    { resource: 'folder', operation: 'update', folderId: '9', updateFields: { name: 'N', parentId: '5' } },
    ['PUT /folders/9', { name: 'N', parent: { id: '5' } }],
  ],
])('%j sends %j', async (parameters, request) => {
  expect(await run(parameters)).toHaveLength(1);
  expect(sent()).toEqual([request]);
});

test.each<[JsonObject, string[], number]>([
  [
    { resource: 'folder', query: 'folder', limit: 1, additionalFields: {} },
    ['GET /search?query=folder&type=folder&limit=100'],
    1,
  ],
  [
    { query: 'x', returnAll: true, additionalFields: { content_types: 'name', file_extensions: 'pdf, doc' } },
    [
      'GET /search?query=x&type=file&content_types=name&file_extensions=pdf,doc&limit=100',
      'GET /search?query=x&type=file&content_types=name&file_extensions=pdf,doc&limit=100&offset=100',
    ],
    101,
  ],
])('a search is read to the end, or to the limit: %j', async (parameters, requests, count) => {
  expect(await run({ operation: 'search', ...parameters })).toHaveLength(count);
  expect(sent().flat()).toEqual(requests);
});

test.each<[JsonObject, string]>([
  [{ operation: 'get' }, 'the parameter "fileId" is required'],
  [{ operation: 'search' }, 'the parameter "query" is required'],
  [{ resource: 'folder' }, 'the parameter "name" is required'],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('an ID never leads to another path', async () => {
  server.on('GET /2.0/files/:id', ({ params }) => ({ json: params }));
  expect(await run({ operation: 'get', fileId: '../folders/0?a=b' })).toEqual([{ id: '../folders/0?a=b' }]);
});

test('an error includes the text and the code from Box; a rate-limited request is retried', async () => {
  server.on('POST /2.0/folders', ({ count }) => {
    if (count === 1)
      return { status: 409, json: { code: 'item_name_in_use', message: 'Item with the same name already exists' } };
    return count === 2 ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : { status: 201, json: { id: '9' } };
  });
  expect(await run({ resource: 'folder', name: 'x' }, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'Box: Item with the same name already exists (item_name_in_use)' },
    { id: '9' },
  ]);
});
