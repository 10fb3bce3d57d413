import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { type FakeRun, fakeContext, runForJson } from '@sluice/nodes-base/testing';
import { accessOf } from '../../shared/api-client.ts';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './baserow.example.ts';
import { baserow } from './baserow.ts';
import { baserowServer } from './testing/baserow-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await baserowServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = {
  baserowApi: { host: 'https://api.baserow.io/', username: 'a@a.test', password: 'p', sessionToken: 'jwt1' },
};
const inTable = { databaseId: 5, tableId: 9 };
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(baserow, { parameters: { ...inTable, ...parameters }, http: server.http, credentials, ...more });
const fields = 'GET /fields/table/9/';
const sent = () =>
  server.received.map(({ method, url, body }): JsonValue[] => [
    `${method} ${url.replace('/api/database', '')}`,
    body.length > 0 ? JSON.parse(body.toString()) : null,
  ]);
/** Requests, excluding the request for the fields. */
const sentRows = () => sent().filter(([request]) => request !== fields);
const rows = '/rows/table/9/';
const value = (fieldId: JsonValue, fieldValue: JsonValue = 'Eve') => ({ fieldsUi: { fieldValues: [{ fieldId, fieldValue }] } });

test('the example', async () => {
  expect(await run({ ...example.parameters, ...value(12, 'Ada') })).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual([
    [fields, null],
    [`POST ${rows}`, { field_12: 'Ada' }],
  ]);
});

test.each<[JsonObject, string, JsonValue]>([
  [{ operation: 'create', ...value('12') }, `POST ${rows}`, { field_12: 'Eve' }],
  [{ operation: 'create', ...value('Name') }, `POST ${rows}`, { field_12: 'Eve' }],
  [{ operation: 'create', dataToSend: 'autoMapInputData', inputsToIgnore: 'Done' }, `POST ${rows}`, { field_12: 'Bob' }],
  [{ operation: 'update', rowId: '3', ...value('field_13', true) }, `PATCH ${rows}3/`, { field_13: true }],
  [{ operation: 'get', rowId: 3 }, `GET ${rows}3/`, null],
  [{ operation: 'delete', rowId: '3' }, `DELETE ${rows}3/`, null],
  [{ operation: 'batchCreate', rows: '[{ "Name": "Bob" }]' }, `POST ${rows}batch/`, { items: [{ field_12: 'Bob' }] }],
  [{ operation: 'batchUpdate', rows: [{ id: 3, Done: true }] }, `PATCH ${rows}batch/`, { items: [{ id: 3, field_13: true }] }],
  [{ operation: 'batchDelete', rowIds: '3, 4' }, `POST ${rows}batch-delete/`, { items: [3, 4] }],
])('%j sends %s', async (parameters, request, body) => {
  expect(await run(parameters, { json: [{ Name: 'Bob', Done: true, Changed: 'x', other: 1 }] })).toHaveLength(1);
  expect(sentRows()).toEqual([[request, body]]);
});

test.each<[JsonObject, string]>([
  [{}, `GET ${rows}?size=100`],
  [
    {
      operation: 'getAll',
      limit: 5,
      additionalOptions: {
        filters: {
          fields: [
            { field: 12, operator: 'contains', value: 'A&B' },
            { field: 'Done', operator: 'empty' },
          ],
        },
        filterType: 'OR',
        order: { fields: [{ field: 12, direction: '-' }, { field: 13 }] },
        search: 'x',
      },
    },
    `GET ${rows}?filter__field_12__contains=A%26B&filter__field_13__empty=&filter_type=OR&order_by=-field_12%2Cfield_13&search=x&size=5`,
  ],
])('%j lists by %s', async (parameters, request) => {
  expect(await run(parameters)).toEqual([
    { id: 1, order: '1.00', Name: 'Ada', Done: false },
    { id: 2, order: '2.00', Name: 'Ada', Done: false },
  ]);
  expect(sentRows()).toEqual([[request, null]]);
});

test('a list is read to its end, or to the limit', async () => {
  const page = (from: number, count: number) => Array.from({ length: count }, (_, index) => ({ id: from + index }));
  server.on('GET /api/database/rows/table/:table/', ({ query }) => ({
    json: query['page'] === '2' ? { next: null, results: page(201, 1) } : { next: 'http://inside/', results: page(1, 200) },
  }));
  expect((await run({ returnAll: true })).map(({ id }) => id)).toEqual(page(1, 201).map(({ id }) => id));
  expect(sentRows().at(-1)).toEqual([`GET ${rows}?size=200&page=2`, null]);
  expect(await run({ limit: 1 })).toEqual([{ id: 1 }]);
});

test('many rows are written in requests of 200', async () => {
  const many = Array.from({ length: 201 }, () => ({ Name: 'x' }));
  expect(await run({ operation: 'batchCreate', rows: many })).toHaveLength(201);
  expect(sentRows().map(([, body]) => ((body as JsonObject)['items'] as JsonValue[]).length)).toEqual([200, 1]);
});

test('the fields of a table are read once for all items', async () => {
  await run({ operation: 'get', rowId: '3' }, { json: [{}, {}] });
  expect(sent().filter(([request]) => request === fields)).toHaveLength(1);
});

test.each<[JsonObject, string]>([
  [
    { error: 'ERROR_ROW_DOES_NOT_EXIST', detail: 'The requested row does not exist.' },
    'Baserow: The requested row does not exist. (ERROR_ROW_DOES_NOT_EXIST)',
  ],
  [
    { error: 'ERROR_REQUEST_BODY_VALIDATION', detail: { field_12: [{ error: 'Not a valid string.', code: 'invalid' }] } },
    'Baserow: field_12: Not a valid string. (ERROR_REQUEST_BODY_VALIDATION)',
  ],
])('the error %j is %j', async (json, message) => {
  server.on('GET /api/database/rows/table/:table/:row/', () => ({ status: 400, json }));
  await expect(run({ operation: 'get', rowId: '3' })).rejects.toThrow(message);
});

test('only the failed item has an error if the node continues', async () => {
  server.on('GET /api/database/rows/table/:table/:row/', ({ count }) =>
    count === 1 ? { status: 404, json: { error: 'ERROR_ROW_DOES_NOT_EXIST', detail: 'No' } } : { json: { id: 3 } },
  );
  const output = await run({ operation: 'get', rowId: '3' }, { json: [{}, {}], continueOnFail: true });
  expect(output).toEqual([{ error: 'Baserow: No (ERROR_ROW_DOES_NOT_EXIST)' }, { id: 3 }]);
});

test('a failure to read the fields is not cached', async () => {
  server.on('GET /api/database/fields/table/:table/', ({ count }) =>
    count === 1 ? { status: 500, json: {} } : { json: [{ id: 12, name: 'Name' }] },
  );
  const output = await run({ operation: 'get', rowId: '3' }, { json: [{}, {}], continueOnFail: true });
  expect(output).toMatchObject([{ error: expect.stringContaining('Baserow') }, { Name: 'Ada' }]);
});

test('a rate-limited request is retried', async () => {
  server.on('GET /api/database/rows/table/:table/:row/', ({ count }) =>
    count === 1 ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : { json: { id: 3 } },
  );
  expect(await run({ operation: 'get', rowId: '3' })).toEqual([{ id: 3 }]);
});

test.each<[JsonObject, string]>([
  [{ operation: 'get' }, 'the parameter "rowId" is required'],
  [{ operation: 'create', ...value('Missing') }, 'the table has no field "Missing"'],
  [{ operation: 'batchCreate', rows: '{}' }, 'the parameter "rows" is not a list of at most 10000 objects'],
  [{ operation: 'batchUpdate', rows: [{ Name: 'x' }] }, 'a row has no "id"'],
  [{ operation: 'batchDelete', rowIds: 'a' }, 'the parameter "rowIds" is not a list of IDs'],
])('%j is refused', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(sentRows()).toEqual([]);
});

const choicesOf = (method: string, more: FakeRun) => {
  const context = accessOf(fakeContext({ parameters: inTable, http: server.http, credentials, ...more }), 0);
  return baserow.methods?.loadOptions?.[method]?.(context as never);
};

test.each<[string, JsonValue]>([
  ['getDatabaseIds', [{ name: 'Sales', value: 5 }]],
  ['getTableIds', [{ name: 'People', value: 9 }]],
  [
    'getTableFields',
    [
      { name: 'Name', value: 12 },
      { name: 'Done', value: 13 },
      { name: 'Changed', value: 14 },
    ],
  ],
])('%s lists choices', async (method, choices) => {
  expect(await choicesOf(method, {})).toEqual(choices);
});

test('a database token lists tables, and is sent', async () => {
  const byToken = await baserowServer(/^Token token1$/);
  const more = {
    parameters: { ...inTable, authentication: 'databaseToken' },
    credentials: { baserowTokenApi: { token: 'token1' } },
    http: byToken.http,
  };
  try {
    expect(await choicesOf('getDatabaseIds', more)).toEqual([
      { name: 'Database 5', value: 5 },
      { name: 'Database 7', value: 7 },
    ]);
    expect(await choicesOf('getTableIds', more)).toEqual([{ name: 'People', value: 9 }]);
    byToken.verify();
  } finally {
    await byToken.close();
  }
});
