import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './noco-db.example.ts';
import { nocoDb } from './noco-db.ts';
import { nocoDbServer } from './testing/noco-db-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await nocoDbServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { nocoDbApiToken: { apiToken: 'token1', host: 'https://noco.example/' } };
const inTable = { authentication: 'nocoDbApiToken', projectId: 'p1', table: 'm1' };
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(nocoDb, { parameters: { ...inTable, ...parameters }, http: server.http, credentials, typeVersion: 3, ...more });
const sent = () =>
  server.received.map(({ method, url, body }): JsonValue[] => [
    `${method} ${url}`,
    body.length > 0 ? JSON.parse(body.toString()) : null,
  ]);
const rows = '/api/v2/tables/m1/records';
const values = { fieldsUi: { fieldValues: [{ fieldName: 'Name', fieldValue: 'Ada' }] } };

test('the example', async () => {
  expect(await run({ ...example.parameters, ...values })).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual([[`POST ${rows}`, { Name: 'Ada' }]]);
});

test.each<[JsonObject, string, JsonValue, number?]>([
  [{ operation: 'create', dataToSend: 'autoMapInputData', inputsToIgnore: 'x' }, `POST ${rows}`, { Id: 3, Name: 'Bob' }],
  [{ operation: 'update', id: '7', ...values }, `PATCH ${rows}`, [{ Name: 'Ada', Id: '7' }]],
  [{ operation: 'update', ...values }, `PATCH ${rows}`, [{ Name: 'Ada', Id: '3' }]],
  [
    { operation: 'update', id: 7, primaryKey: 'custom', customPrimaryKey: 'Key', ...values },
    `PATCH ${rows}`,
    [{ Name: 'Ada', Key: '7' }],
  ],
  [{ operation: 'delete', id: '7' }, `DELETE ${rows}`, [{ Id: '7' }]],
  [{ operation: 'get', id: '7' }, `GET ${rows}/7`, null],
  [{ operation: 'create', ...values }, 'POST /api/v1/db/data/noco/p1/m1', { Name: 'Ada' }, 2],
  [{ operation: 'update', id: '7', ...values }, 'PATCH /api/v1/db/data/noco/p1/m1/7', { Name: 'Ada' }, 2],
  [{ operation: 'delete', id: '7' }, 'DELETE /api/v1/db/data/noco/p1/m1/7', null, 2],
  [{ operation: 'get', id: '7' }, 'GET /nc/p1/api/v1/m1/7', null, 1],
  [{ operation: 'update', id: '7', ...values }, 'PUT /nc/p1/api/v1/m1/7', { Name: 'Ada' }, 1],
])('%j sends %s', async (parameters, request, body, typeVersion = 3) => {
  expect(await run(parameters, { typeVersion, json: [{ Id: 3, Name: 'Bob', x: 1 }] })).toHaveLength(1);
  expect(sent()).toEqual([[request, body]]);
});

test('rows are filtered, sorted, and reduced to fields', async () => {
  const options = {
    viewId: 'v1',
    where: '(a,eq,b)',
    fields: ['Id', 'Name'],
    sort: {
      property: [
        { field: 'Name', direction: 'desc' },
        { field: 'Id', direction: 'asc' },
      ],
    },
  };
  expect(await run({ operation: 'getAll', limit: 2, options })).toHaveLength(2);
  expect(sent()).toEqual([[`GET ${rows}?viewId=v1&where=%28a%2Ceq%2Cb%29&fields=Id%2CName&sort=-Name%2CId&limit=2`, null]]);
});

test('a list is read to its end, or to the limit', async () => {
  server.on('GET /api/v2/tables/:table/records', ({ query }) => ({
    json: { list: [{ Id: Number(query['offset'] ?? 0) }], pageInfo: { isLastPage: query['offset'] === '1' } },
  }));
  expect(await run({ operation: 'getAll', returnAll: true })).toEqual([{ Id: 0 }, { Id: 1 }]);
  expect(await run({ operation: 'getAll', limit: 1 })).toEqual([{ Id: 0 }]);
});

test('an error includes the code and text from NocoDB', async () => {
  server.on('GET /api/v2/tables/:table/records/:id', () => ({
    status: 404,
    json: { error: 'RECORD_NOT_FOUND', message: "Record '7' not found" },
  }));
  await expect(run({ operation: 'get', id: '7' })).rejects.toThrow("NocoDB: Record '7' not found (RECORD_NOT_FOUND)");
});

test('only the failed item has an error if the node continues', async () => {
  server.on('POST /api/v2/tables/:table/records', ({ count }) =>
    count === 1 ? { status: 400, json: { msg: 'No' } } : { json: { Id: 8 } },
  );
  const output = await run({ operation: 'create', ...values }, { json: [{}, {}], continueOnFail: true });
  expect(output).toEqual([{ error: 'NocoDB: No (400)' }, { Name: 'Ada', Id: 8 }]);
});

test('a rate-limited request is retried', async () => {
  server.on('GET /api/v2/tables/:table/records/:id', ({ count }) =>
    count === 1 ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : { json: { Id: 7 } },
  );
  expect(await run({ operation: 'get', id: '7' })).toEqual([{ Id: 7 }]);
});

test.each<[JsonObject, string]>([
  [{ operation: 'delete' }, 'the parameter "id" is required'],
  [{ operation: 'create', fieldsUi: { fieldValues: [{ fieldName: 'a', binaryData: true }] } }, 'files cannot be written yet'],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});
