import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue, MethodContext } from '@sluice/node-sdk';
import { type FakeRun, runForJson, runNode } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { example } from './airtable.example.ts';
import { airtable } from './airtable.ts';
import { ada, airtableServer, bob, schema } from './testing/airtable-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await airtableServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { airtableTokenApi: { accessToken: 'pat1' }, airtableApi: { apiKey: 'pat1' } };
const people = { base: { __rl: true, mode: 'id', value: 'app1' }, table: { __rl: true, mode: 'name', value: 'People' } };
const runOf = (parameters: JsonObject, more: FakeRun = {}): FakeRun => ({
  parameters: { ...people, ...parameters },
  http: server.http,
  credentials,
  ...more,
});
const run = (parameters: JsonObject, more: FakeRun = {}) => runForJson(airtable, runOf(parameters, more));
const sent = () =>
  server.received.map(({ method, url, body }): JsonValue[] => {
    const { pathname, searchParams } = new URL(url, server.origin);
    const query = Object.fromEntries([...new Set(searchParams.keys())].map((name) => [name, searchParams.getAll(name).join()]));
    return [`${method} ${pathname}`, body.length > 0 ? JSON.parse(body.toString()) : query];
  });
const columns = (value: JsonObject, matchingColumns: string[] = [], schemaOf: JsonObject[] = []) => ({
  columns: { mappingMode: 'defineBelow', value, matchingColumns, schema: schemaOf },
});
const base = '/v0/app1/People';

test('the example', async () => {
  expect(await run(example.parameters, { json: [{ Name: 'Ada', Age: 36 }] })).toEqual(example.outputs?.[0]);
});

test.each([2, 2.1, 2.2])('version %s writes columns and finds records', async (typeVersion) => {
  const upsert = { operation: 'upsert', ...columns({ Name: 'Ada', Age: 37 }, ['Name']) };
  await run(upsert, { typeVersion });
  await run({ operation: 'search', returnAll: false, limit: 5 }, { typeVersion });
  expect(sent()).toEqual([
    [`PATCH ${base}`, { performUpsert: { fieldsToMergeOn: ['Name'] }, records: [{ fields: { Name: 'Ada', Age: 37 } }] }],
    [`GET ${base}`, { pageSize: '5' }],
  ]);
});

test.each<[string, JsonObject, JsonValue[]]>([
  ['a record', { id: 'rec1' }, [`GET ${base}/rec1`, {}]],
  [
    'typed columns, without removed and empty ones',
    {
      operation: 'create',
      ...columns(
        { Name: 'Ada', Age: '36', Member: 'true', Tags: '["a"]', Gone: 1, Empty: null },
        [],
        [
          { id: 'Age', type: 'number' },
          { id: 'Member', type: 'boolean' },
          { id: 'Tags', type: 'array' },
          { id: 'Gone', removed: true },
        ],
      ),
      options: { typecast: true },
    },
    [`POST ${base}`, { fields: { Name: 'Ada', Age: 36, Member: true, Tags: ['a'] }, typecast: true }],
  ],
  [
    'a record by its ID',
    { operation: 'update', ...columns({ id: 'rec9', Name: 'Eve' }, ['id']) },
    [`PATCH ${base}/rec9`, { fields: { Name: 'Eve' } }],
  ],
  [
    'a record that Airtable finds',
    { operation: 'upsert', ...columns({ Name: 'Ada', Age: 37 }, ['Name']) },
    [`PATCH ${base}`, { performUpsert: { fieldsToMergeOn: ['Name'] }, records: [{ fields: { Name: 'Ada', Age: 37 } }] }],
  ],
  [
    'a new record without an ID',
    { operation: 'upsert', ...columns({ Name: 'Ada' }, ['id']) },
    [`POST ${base}`, { fields: { Name: 'Ada' } }],
  ],
  ['a record to delete', { operation: 'deleteRecord', id: 'rec1' }, [`DELETE ${base}/rec1`, {}]],
  [
    'records by formula, sorted',
    {
      operation: 'search',
      filterByFormula: '{Age}>30',
      returnAll: false,
      limit: 5,
      options: { fields: ['Name', 'Age'], view: { __rl: true, mode: 'id', value: 'viw1' } },
      sort: { property: [{ field: 'Name', direction: 'desc' }] },
    },
    [
      `GET ${base}`,
      {
        filterByFormula: '{Age}>30',
        'fields[]': 'Name,Age',
        view: 'viw1',
        'sort[0][field]': 'Name',
        'sort[0][direction]': 'desc',
        pageSize: '5',
      },
    ],
  ],
  [
    'base and table by URL',
    {
      base: { __rl: true, mode: 'url', value: 'https://airtable.com/app12345678901234/tbl12345678901234/viw1' },
      table: { __rl: true, mode: 'url', value: 'https://airtable.com/app12345678901234/tbl12345678901234/viw1' },
      id: 'rec1',
    },
    ['GET /v0/app12345678901234/tbl12345678901234/rec1', {}],
  ],
])('sends one request: %s', async (_, parameters, request) => {
  await run(parameters);
  expect(sent()).toEqual([request]);
});

test.each<[string, JsonObject, JsonValue[]]>([
  ['append', { addAllFields: false, fields: ['Name'] }, [`POST ${base}`, { fields: { Name: 'Ada' } }]],
  ['append', { options: { ignoreFields: 'x' } }, [`POST ${base}`, { fields: { Name: 'Ada' } }]],
  [
    'update',
    { id: 'rec1', options: { typecast: true } },
    [`PATCH ${base}/rec1`, { fields: { Name: 'Ada', x: 1 }, typecast: true }],
  ],
  ['delete', { id: 'rec1' }, [`DELETE ${base}/rec1`, {}]],
  [
    'list',
    {
      returnAll: false,
      limit: 200,
      additionalOptions: { fields: ['Name'], filterByFormula: '1', sort: { property: [{ field: 'Name' }] }, view: 'Grid' },
    },
    [
      `GET ${base}`,
      {
        filterByFormula: '1',
        'fields[]': 'Name',
        view: 'Grid',
        'sort[0][field]': 'Name',
        'sort[0][direction]': 'asc',
        pageSize: '100',
      },
    ],
  ],
])('version 1: %s %j', async (operation, more, request) => {
  const parameters = { operation, application: 'app1', table: 'People', ...more };
  await run(parameters, { typeVersion: 1, json: [{ Name: 'Ada', x: 1 }] });
  expect(sent()).toEqual([request]);
});

test('records that are read have their fields at the level of their ID, except in version 1', async () => {
  expect(await run({ operation: 'search' })).toEqual([
    { id: 'rec1', createdTime: ada.createdTime, Name: 'Ada', Age: 36 },
    { id: 'rec2', createdTime: bob.createdTime, Name: 'Bob' },
  ]);
  const legacy = { application: 'app1', table: 'People', id: 'rec1' };
  expect(await run(legacy, { typeVersion: 1 })).toEqual([ada]);
});

test('fields of an earlier Airtable node are written without its record ID and creation time', async () => {
  const parameters = { operation: 'update', columns: { mappingMode: 'autoMapInputData', matchingColumns: ['id'] } };
  await run(parameters, { json: [{ id: 'rec1', createdTime: ada.createdTime, Name: 'Ada' }] });
  expect(sent()).toEqual([[`PATCH ${base}/rec1`, { fields: { Name: 'Ada' } }]]);
});

test('a record is found by its fields, with quotes and braces escaped', async () => {
  const records = columns({ 'N}': "Ada's\\", Age: 36, New: true }, ['N}', 'Age']);
  await run({ operation: 'update', ...records });
  expect(sent()).toEqual([
    [`GET ${base}`, { filterByFormula: "AND({N\\}}='Ada\\'s\\\\',{Age}=36)", pageSize: '1' }],
    [`PATCH ${base}`, { records: [{ id: 'rec1', fields: { 'N}': "Ada's\\", Age: 36, New: true } }] }],
  ]);
});

test('all matching records are changed, ten at a time', async () => {
  const records = Array.from({ length: 12 }, (_, index) => ({ ...ada, id: `rec${index}` }));
  server.on('GET /v0/:base/:table', () => ({ json: { records } }));
  const parameters = { operation: 'upsert', ...columns({ Name: 'Ada' }, ['Name']), options: { updateAllMatches: true } };
  expect(await run(parameters)).toHaveLength(12);
  expect(server.received.map(({ method }) => method)).toEqual(['GET', 'PATCH', 'PATCH']);
});

test('if no record matches, an upsert of all matches creates a record, and an update fails', async () => {
  server.on('GET /v0/:base/:table', () => ({ json: { records: [] } }));
  const parameters = { ...columns({ Name: 'Ada' }, ['Name']), options: { updateAllMatches: true } };
  expect(await run({ operation: 'upsert', ...parameters })).toEqual([{ ...ada, fields: { Name: 'Ada' } }]);
  await expect(run({ operation: 'update', ...parameters })).rejects.toThrow('no record has these values of "Name"');
});

test('lists are read to their end, or to the limit', async () => {
  server.on('GET /v0/:base/:table', ({ query }) => ({
    json: query['offset'] === 'o2' ? { records: [bob] } : { records: [ada], offset: 'o2' },
  }));
  expect(await run({ operation: 'search' })).toHaveLength(2);
  expect(await run({ operation: 'search', returnAll: false, limit: 1 })).toHaveLength(1);
  expect(server.received).toHaveLength(3);
});

test('bases and the schema of a base are listed', async () => {
  const list = { resource: 'base', operation: 'getMany' };
  expect(await run(list)).toHaveLength(2);
  expect(await run({ ...list, options: { permissionLevel: ['read'] } })).toMatchObject([{ id: 'app2' }]);
  expect(await run({ resource: 'base', operation: 'getSchema' })).toEqual([schema]);
});

test('an error includes the code and text from Airtable, and a hint', async () => {
  server.on('GET /v0/:base/:table', () => ({
    status: 422,
    json: { error: { type: 'INVALID_FILTER_BY_FORMULA', message: 'The formula for filtering records is invalid' } },
  }));
  await expect(runNode(airtable, runOf({ operation: 'search' }))).rejects.toMatchObject({
    message: 'Airtable: The formula for filtering records is invalid (INVALID_FILTER_BY_FORMULA)',
    description: expect.stringContaining('names of fields are in braces'),
  });
});

test('only the failed item has an error if the node continues', async () => {
  server.on('GET /v0/:base/:table/:record', ({ count }) =>
    count === 1 ? { status: 404, json: { error: 'NOT_FOUND' } } : { json: ada },
  );
  const output = await run({ id: 'rec1' }, { json: [{}, {}], continueOnFail: true });
  expect(output).toEqual([
    { error: 'Airtable: NOT_FOUND (NOT_FOUND)' },
    { ...ada.fields, id: 'rec1', createdTime: ada.createdTime },
  ]);
});

test('a rate-limited request is retried', async () => {
  server.on('GET /v0/:base/:table/:record', ({ count }) =>
    count === 1 ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : { json: ada },
  );
  expect(await run({ id: 'rec1' })).toHaveLength(1);
});

test.each<[JsonObject, string]>([
  [{ operation: 'update', ...columns({ Name: 'x' }, ['id']) }, 'the column "id" has no value'],
  [{ operation: 'upsert', ...columns({ Age: 1 }, ['Name']) }, 'the column "Name" has no value to match'],
  [{ operation: 'create', columns: 'Name' }, 'the parameter "columns" assigns no columns'],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('a base and a table selected by URL have lists too', async () => {
  const located = { __rl: true, mode: 'url', value: 'https://airtable.com/app12345678901234/tbl12345678901234/viw1' };
  const tables = [{ id: 'tbl12345678901234', name: 'People', fields: [{ name: 'Age', type: 'number' }] }];
  server.on('GET /v0/meta/bases/:base/tables', ({ params }) => ({
    json: { tables: params['base'] === 'app12345678901234' ? tables : [] },
  }));
  const parameters = { base: located, table: located };
  const context: MethodContext = webhookContext({ http: server.http, credentials, parameters, typeVersion: 2.1 });
  const { fields = [] } = (await airtable.methods?.resourceMapping?.['getColumns']?.(context)) ?? {};
  expect(fields.map(({ id }) => id)).toEqual(['id', 'Age']);
});

test('bases, tables, and columns can be chosen', async () => {
  const parameters = { ...people, table: { __rl: true, mode: 'list', value: 'tbl1' } };
  const context: MethodContext = webhookContext({ http: server.http, credentials, parameters, typeVersion: 2.1 });
  const { listSearch, resourceMapping } = airtable.methods ?? {};
  expect(await listSearch?.['baseSearch']?.(context, 'off')).toEqual({ results: [{ name: 'Office', value: 'app1' }] });
  expect(await listSearch?.['tableSearch']?.(context)).toEqual({ results: [{ name: 'People', value: 'tbl1' }] });
  expect(await resourceMapping?.['getColumns']?.(context)).toEqual({
    fields: [
      { id: 'id', displayName: 'id', type: 'string' },
      { id: 'Name', displayName: 'Name', type: 'string' },
      { id: 'Age', displayName: 'Age', type: 'number' },
    ],
  });
});

test.each<JsonObject>([{ operation: 'get' }, { operation: 'search' }, {}])(
  'attachments are not downloaded: %j',
  async (more) => {
    const options = { downloadFields: ['Files'] };
    const parameters = { ...more, id: 'rec1', options };
    await expect(run(parameters, { typeVersion: 2.1 })).rejects.toMatchObject({ code: 'NOT_SUPPORTED' });
  },
);

test('download fields that remain from another operation are ignored', async () => {
  const options = { downloadFields: ['Files'] };
  const parameters = { operation: 'create', options, ...columns({ Name: 'Ada' }) };
  await expect(run(parameters, { typeVersion: 2.1 })).resolves.toHaveLength(1);
});
