import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './google-big-query.example.ts';
import { googleBigQuery } from './google-big-query.ts';
import { googleBigQueryServer } from './testing/google-big-query-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await googleBigQueryServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { googleBigQueryOAuth2Api: { oauthTokenData: { access_token: 'ya29' } } };
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(googleBigQuery, { parameters, http: server.http, credentials, typeVersion: 2.1, ...more });
const urls = () => server.received.map(({ url }) => decodeURIComponent(url.replace('/bigquery/v2/projects/acme', '')));
const bodies = () => server.received.filter(({ body }) => body.length > 0).map(({ body }) => JSON.parse(body.toString()));

const queries = 'POST /bigquery/v2/projects/:project/queries';
const results = 'GET /bigquery/v2/projects/:project/queries/:job';
const inserts = 'POST /bigquery/v2/projects/:project/datasets/:dataset/tables/:table/insertAll';
const query = { projectId: 'acme', sqlQuery: 'SELECT 1' };
const table = {
  operation: 'insert',
  projectId: 'acme',
  datasetId: 'shop',
  tableId: { __rl: true, mode: 'list', value: 'orders' },
};
const standard = { useLegacySql: false, timeoutMs: 10_000, maxResults: 10_000, formatOptions: { useInt64Timestamp: true } };
const jobReference = { projectId: 'acme', jobId: 'job_1', location: 'EU' };

test('the example: a value is a parameter, never part of the query', async () => {
  expect(await run(example.parameters)).toEqual(example.outputs?.[0]);
  expect(bodies()).toEqual([
    {
      ...standard,
      query: example.parameters['sqlQuery'],
      parameterMode: 'NAMED',
      queryParameters: [{ name: 'name', parameterType: { type: 'STRING' }, parameterValue: { value: 'Ada' } }],
    },
  ]);
});

test('options are sent', async () => {
  const options = {
    defaultDataset: 'shop',
    dryRun: true,
    location: 'EU',
    maximumBytesBilled: '1000',
    maxResults: 5,
    useLegacySql: true,
  };
  await run({ ...query, options });
  expect(bodies()).toEqual([
    {
      ...standard,
      query: 'SELECT 1',
      useLegacySql: true,
      maxResults: 5,
      location: 'EU',
      defaultDataset: { datasetId: 'shop' },
      maximumBytesBilled: '1000',
      dryRun: true,
    },
  ]);
});

test('rows have the types of their columns', async () => {
  const column = (name: string, type: string, more: object = {}) => ({ name, type, ...more });
  const columns = [
    column('i', 'INTEGER'),
    column('big', 'INT64'),
    column('f', 'FLOAT'),
    column('n', 'NUMERIC'),
    column('b', 'BOOLEAN'),
    column('t', 'TIMESTAMP'),
    column('none', 'STRING'),
    column('list', 'INTEGER', { mode: 'REPEATED' }),
    column('o', 'RECORD', { fields: [column('x', 'BOOL'), column('__proto__', 'STRING')] }),
  ];
  const values = ['5', '9007199254740993', '1.5', '1.50', 'true', '1769810400000000', null, [{ v: '1' }, { v: '2' }]];
  const f = [...values.map((v) => ({ v })), { v: { f: [{ v: 'false' }, { v: 'p' }] } }];
  server.on(queries, () => ({ json: { jobComplete: true, jobReference, schema: { fields: columns }, rows: [{ f }] } }));
  const [row] = await run(query);
  expect(row).toEqual({
    i: 5,
    big: '9007199254740993',
    f: 1.5,
    n: '1.50',
    b: true,
    t: '2026-01-30T22:00:00.000Z',
    none: null,
    list: [1, 2],
    o: JSON.parse('{"x":false,"__proto__":"p"}'),
  });
});

test('a query that takes longer is waited for, and its pages are read to the end', async () => {
  server.on(queries, () => ({ json: { jobComplete: false, jobReference } }));
  server.on(results, ({ query: { pageToken }, count }) => {
    if (count === 1) return { json: { jobComplete: false, jobReference } };
    const schema = { fields: [{ name: 'id', type: 'INTEGER' }] };
    const rows = [{ f: [{ v: `${count}` }] }];
    return { json: { jobComplete: true, schema, rows, ...(pageToken === undefined && { pageToken: 'p2' }) } };
  });
  expect(await run(query)).toEqual([{ id: 2 }, { id: 3 }]);
  const job = '/queries/job_1?location=EU&maxResults=10000';
  expect(urls()).toEqual([
    '/queries',
    ...Array.from({ length: 2 }, () => `${job}&timeoutMs=10000&formatOptions.useInt64Timestamp=true`),
    `${job}&pageToken=p2&formatOptions.useInt64Timestamp=true`,
  ]);
});

test('no page is read beyond the limit', async () => {
  const schema = { fields: [{ name: 'id', type: 'INTEGER' }] };
  const rows = [{ f: [{ v: '1' }] }, { f: [{ v: '2' }] }];
  server.on(queries, () => ({ json: { jobComplete: true, jobReference, schema, rows, pageToken: 'p2' } }));
  expect(await run({ ...query, options: { maxResults: 2 } })).toEqual([{ id: 1 }, { id: 2 }]);
  expect(urls()).toEqual(['/queries']);
});

test('a statement without rows returns what it changed; a query without rows returns nothing', async () => {
  server.on(queries, () => ({ json: { jobComplete: true, jobReference, numDmlAffectedRows: '3', totalBytesProcessed: '0' } }));
  expect(await run(query)).toEqual([{ jobReference, numDmlAffectedRows: '3', totalBytesProcessed: '0' }]);
  server.on(queries, () => ({
    json: { jobComplete: true, jobReference, schema: { fields: [{ name: 'a', type: 'STRING' }] } },
  }));
  expect(await run(query)).toEqual([]);
});

test('items become rows in few requests', async () => {
  const json = Array.from({ length: 501 }, (_, id) => ({ id }));
  expect(await run({ ...table, options: { skipInvalidRows: true } }, { json })).toEqual(json);
  expect(urls()).toEqual(Array.from({ length: 2 }, () => '/datasets/shop/tables/orders/insertAll'));
  expect(bodies().map(({ rows, ...rest }) => [rows.length, rest])).toEqual([
    [500, { skipInvalidRows: true }],
    [1, { skipInvalidRows: true }],
  ]);
});

test('fields can be mapped one by one', async () => {
  const fieldsUi = {
    values: [
      { fieldId: 'name', fieldValue: 'Ada' },
      { fieldId: 'age', fieldValue: 36 },
    ],
  };
  expect(await run({ ...table, dataMode: 'define', fieldsUi, options: { ignoreUnknownValues: true } })).toEqual([
    { name: 'Ada', age: 36 },
  ]);
  expect(bodies()).toEqual([{ ignoreUnknownValues: true, rows: [{ json: { name: 'Ada', age: 36 } }] }]);
});

test('an invalid row is an error, although its status is 200', async () => {
  const insertErrors = [
    { index: 0, errors: [{ reason: 'stopped', message: '' }] },
    { index: 1, errors: [{ reason: 'invalid', location: 'age', message: 'Cannot convert value to integer' }] },
  ];
  server.on(inserts, () => ({ json: { insertErrors } }));
  await expect(run(table, { json: [{}, {}] })).rejects.toMatchObject({
    message: 'BigQuery: Cannot convert value to integer, column "age" (invalid), item 1',
  });
});

test.each<[JsonObject, string]>([
  [{ sqlQuery: 'x' }, 'the parameter "projectId" is required'],
  [{ projectId: 'acme' }, 'the parameter "sqlQuery" is required'],
  [{ ...query, options: { maxResults: 0 } }, 'the parameter "options.maxResults" must be 1 or more'],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('an error includes the text from BigQuery; a failed item does not affect the others', async () => {
  server.on(queries, ({ count }) => {
    if (count === 1)
      return { status: 400, json: { error: { code: 400, status: 'INVALID_ARGUMENT', message: 'Syntax error at [1:8]' } } };
    return count === 2
      ? { status: 429, headers: { 'retry-after': '0' }, json: {} }
      : { json: { jobComplete: true, jobReference } };
  });
  expect(await run(query, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'BigQuery: Syntax error at [1:8] (INVALID_ARGUMENT)' },
    { jobReference },
  ]);
});
