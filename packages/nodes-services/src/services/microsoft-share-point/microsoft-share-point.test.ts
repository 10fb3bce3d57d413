import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { type FakeRun, memoryBinary, runForJson, runNode } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { located } from '../../testing/attack.ts';
import { streamedOnly } from '../../testing/streamed-only.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { example } from './microsoft-share-point.example.ts';
import { microsoftSharePoint } from './microsoft-share-point.ts';
import { sharePointServer } from './testing/share-point-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await sharePointServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { microsoftSharePointOAuth2Api: { subdomain: 'acme', oauthTokenData: { access_token: 't1' } } };
const runOf = (parameters: JsonObject, more: FakeRun = {}): FakeRun => ({
  parameters,
  http: server.http,
  credentials,
  ...more,
});
const run = (parameters: JsonObject, more: FakeRun = {}) => runForJson(microsoftSharePoint, runOf(parameters, more));
const sent = () =>
  server.received.map(({ method, url, body, headers }): JsonValue[] => {
    const path = decodeURIComponent(url.replace('/_api/v2.0/sites/acme.sharepoint.com,s1,w1', '').replaceAll('+', ' '));
    const text = body.toString();
    const isJson = String(headers['content-type']).includes('json');
    return [`${method} ${path}`, text === '' ? null : isJson ? JSON.parse(text) : text];
  });
const site = located('acme.sharepoint.com,s1,w1', 'list');
const onFile = { site, folder: located('d1'), file: located('f1') };
const onItem = { resource: 'item', site, list: located('l1') };
const values = (value: JsonObject, ...matchingColumns: string[]) => ({
  columns: { mappingMode: 'defineBelow', value, matchingColumns, schema: [] },
});

test('the example', async () => {
  expect(await run({ ...example.parameters, ...values({ Title: 'Call Ada' }) })).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual([['POST /lists/l1/items', { fields: { Title: 'Call Ada' } }]]);
});

test('a file is downloaded with its name and type', async () => {
  const binary = memoryBinary();
  const [items] = await runNode(microsoftSharePoint, runOf({ ...onFile, requestOptions: {} }, { binary }));
  const data = items?.[0]?.binary?.['data'];
  expect(data).toMatchObject({ fileName: 'a b.txt', mimeType: 'text/plain' });
  expect(data && (await binary.read(data)).toString()).toBe('Hello');
  expect(sent()).toEqual([
    ['GET /drive/items/f1?$select=id,name,file', null],
    ['GET /drive/items/f1/content', null],
  ]);
});

test('files are uploaded as streams', async () => {
  const binary = streamedOnly();
  const data = await binary.store(Buffer.from('Hello'), { fileName: 'a b#.txt', mimeType: 'text/plain' });
  const more: FakeRun = { binary, inputs: [[{ json: {}, binary: { data } }]] };
  await run({ operation: 'upload', site, folder: located('root') }, more);
  await run({ operation: 'upload', site, folder: 'd1', fileName: 'c.txt', fileContents: 'data' }, more);
  await run({ ...onFile, operation: 'update', changeFileContent: true }, more);
  expect(await run({ ...onFile, operation: 'update', changeFileContent: true, fileName: 'n.txt' }, more)).toEqual([
    { id: 'f1', name: 'n.txt' },
  ]);
  expect(sent()).toEqual([
    ['PUT /drive/items/root:/a b#.txt:/content', 'Hello'],
    ['PUT /drive/items/d1:/c.txt:/content', 'Hello'],
    ['PUT /drive/items/f1/content', 'Hello'],
    ['PUT /drive/items/f1/content', 'Hello'],
    ['PATCH /drive/items/f1', { name: 'n.txt' }],
  ]);
  expect(server.received[0]?.url).toContain('a%20b%23.txt');
});

const simple = 'contentType,createdDateTime,createdBy,fields,id,lastModifiedDateTime,lastModifiedBy,parentReference,webUrl';
const simpleList = 'id,name,displayName,description,createdDateTime,lastModifiedDateTime,webUrl';
test.each<[JsonObject, string, JsonValue]>([
  [{ ...onItem, operation: 'get', item: located('3') }, `GET /lists/l1/items/3?$expand=fields&$select=${simple}`, null],
  [{ ...onItem, operation: 'get', item: '3', simplify: false }, 'GET /lists/l1/items/3?$expand=fields', null],
  [{ ...onItem, operation: 'delete', item: '3' }, 'DELETE /lists/l1/items/3', null],
  [
    { ...onItem, operation: 'update', ...values({ id: 3, Title: 'B' }, 'id') },
    'PATCH /lists/l1/items/3/fields',
    { Title: 'B' },
  ],
  [
    { ...onItem, operation: 'upsert', ...values({ id: '3', Title: 'B' }, 'id') },
    'PATCH /lists/l1/items/3/fields',
    { Title: 'B' },
  ],
  [{ ...onItem, operation: 'upsert', ...values({ Title: 'B' }) }, 'POST /lists/l1/items', { fields: { Title: 'B' } }],
  [{ resource: 'list', operation: 'get', site, list: 'l1' }, `GET /lists/l1?$select=${simpleList}`, null],
  [
    { resource: 'list', operation: 'getAll', site, limit: 1, options: { fields: ['id', 'webUrl'] } },
    'GET /lists?$select=id,webUrl',
    null,
  ],
])('%j is one request', async (parameters, request, body) => {
  expect(await run(parameters)).toHaveLength(1);
  expect(sent()).toEqual([[request, body]]);
});

test('items are listed to their end, or to the limit', async () => {
  const getAll = { ...onItem, operation: 'getAll', simplify: false };
  expect(await run({ ...getAll, returnAll: true })).toHaveLength(2);
  expect(await run({ ...getAll, limit: 1, filter: "fields/Title eq 'A&B'" })).toHaveLength(1);
  expect(sent().map(([request]) => request)).toEqual([
    'GET /lists/l1/items?$expand=fields',
    'GET /_api/v2.0/sites/s/lists/l1/items?page=2',
    "GET /lists/l1/items?$expand=fields&$filter=fields/Title eq 'A&B'",
  ]);
  expect(server.received.at(-1)?.headers['prefer']).toBe('HonorNonIndexedQueriesWarningMayFailRandomly');
});

test('an item is created or changed by the values of columns, whose text cannot end', async () => {
  const upsert = { ...onItem, operation: 'upsert', ...values({ Title: "O'Neil", Size: 5, Note: 'n' }, 'Title', 'Size') };
  server.on('GET /_api/v2.0/sites/:site/lists/:list/items', () => ({ json: { value: [{ id: '4' }] } }));
  await run(upsert);
  server.on('GET /_api/v2.0/sites/:site/lists/:list/items', () => ({ json: { value: [] } }));
  await run(upsert);
  const fields = { Title: "O'Neil", Size: 5, Note: 'n' };
  const search = "GET /lists/l1/items?$filter=fields/Title eq 'O''Neil' and fields/Size eq 5&$select=id&$top=2";
  expect(sent()).toEqual([
    [search, null],
    ['PATCH /lists/l1/items/4/fields', fields],
    [search, null],
    ['POST /lists/l1/items', { fields }],
  ]);
  server.on('GET /_api/v2.0/sites/:site/lists/:list/items', () => ({ json: { value: [{ id: '4' }, { id: '5' }] } }));
  await expect(run(upsert)).rejects.toThrow('several items have the values of the matching columns');
});

test('an item with an ID that does not exist is created', async () => {
  await run({ ...onItem, operation: 'upsert', ...values({ id: '404', Title: 'B' }, 'id') });
  expect(sent().map(([request]) => request)).toEqual(['PATCH /lists/l1/items/404/fields', 'POST /lists/l1/items']);
});

test.each(['../a.txt', 'a\\b.txt', 'a:b.txt', '.', '..'])('a file cannot leave its folder by the name %s', async (fileName) => {
  const binary = memoryBinary();
  const data = await binary.store(Buffer.from('Hello'), { fileName });
  const upload = run({ operation: 'upload', site, folder: 'd1' }, { binary, inputs: [[{ json: {}, binary: { data } }]] });
  await expect(upload).rejects.toMatchObject({
    message: 'Microsoft does not allow this name for a file or folder',
    itemIndex: 0,
  });
  expect(server.received).toEqual([]);
});

test.each<[JsonObject, string]>([
  [{ site, folder: 'd1' }, 'the parameter "file" is required'],
  [{ ...onFile, operation: 'update' }, 'nothing of the file changes'],
  [{ ...onItem, operation: 'update', ...values({ Title: 'B' }, 'id') }, 'the column "id" has no value to match'],
  [
    { ...onItem, operation: 'upsert', ...values({ 'a eq 1 or b': 'x' }, 'a eq 1 or b') },
    'a matching column has an invalid name',
  ],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('an error has the code of SharePoint, and does not affect other items', async () => {
  const columns = (id: string) => ({ ...onItem, operation: 'update', ...values({ id, Title: 'B' }, 'id') });
  const ofItem = (index: number) => columns(['404', '1'][index] ?? '');
  expect(await run({}, { parameters: ofItem, json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'Microsoft SharePoint: The specified list item was not found (itemNotFound)' },
    { id: '1', fields: { Title: 'B' } },
  ]);
});

test.each<[string, JsonObject, string | undefined, string[]]>([
  ['getSites', {}, undefined, ['acme.sharepoint.com,s1,w1']],
  ['getFolders', { site }, undefined, ['root', 'd1']],
  ['getFolders', { site }, "O'", ['d2']],
  ['getFiles', { site, folder: located('d1') }, undefined, ['f1']],
  ['getLists', { site }, 'task', ['l1']],
  ['getItems', { site, list: located('l1') }, undefined, ['1', '2']],
])('editors choose by name: %s with %j', async (method, parameters, filter, expected) => {
  const context = webhookContext({ http: server.http, credentials, parameters });
  const { results = [] } = (await microsoftSharePoint.methods?.listSearch?.[method]?.(context, filter)) ?? {};
  expect(results.map(({ value }) => value)).toEqual(expected);
});
