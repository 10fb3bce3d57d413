import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue, MethodContext } from '@sluice/node-sdk';
import { type FakeRun, runForJson, runNode } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { example } from './supabase.example.ts';
import { supabase } from './supabase.ts';
import { project, supabaseServer } from './testing/supabase-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await supabaseServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { supabaseApi: project };
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(supabase, { parameters: { tableId: 'tasks', ...parameters }, http: server.http, credentials, ...more });
const sent = () =>
  server.received.map(({ method, url, body }): JsonValue[] => [
    `${method} ${decodeURIComponent(url.replace('/rest/v1', '').replaceAll('+', ' '))}`,
    body.length > 0 ? JSON.parse(body.toString()) : null,
  ]);
const where = (...conditions: JsonObject[]) => ({ filters: { conditions } });

test('the example', async () => {
  const filters = { conditions: [{ keyName: 'id', condition: 'eq', keyValue: 1 }] };
  expect(await run({ ...example.parameters, filters })).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual([['PATCH /tasks?or=(id.eq."1")', { status: 'done' }]]);
});

test.each<[JsonObject, string, JsonValue]>([
  [
    {
      fieldsUi: {
        fieldValues: [
          { fieldId: 'name', fieldValue: 'Ada' },
          { fieldId: 'tags', fieldValue: ['a'] },
        ],
      },
    },
    'POST /tasks',
    { name: 'Ada', tags: ['a'] },
  ],
  [{ dataToSend: 'autoMapInputData', inputsToIgnore: 'x, y' }, 'POST /tasks', { name: 'Ada', age: 36 }],
  [{ operation: 'delete', ...where({ keyName: 'id', keyValue: 5 }) }, 'DELETE /tasks?or=(id.eq."5")', null],
  [{ operation: 'get', filters: { conditions: [{ keyName: 'id', keyValue: '5' }] } }, 'GET /tasks?and=(id.eq."5")', null],
  [{ operation: 'getAll', limit: 2 }, 'GET /tasks?limit=2', null],
  [{ operation: 'getAll', limit: 2, filterType: 'none', ...where({ keyName: 'id', keyValue: 5 }) }, 'GET /tasks?limit=2', null],
  [
    {
      operation: 'getAll',
      limit: 2,
      matchType: 'allFilters',
      ...where(
        { keyName: 'name', condition: 'like', keyValue: 'A*' },
        { keyName: 'gone', condition: 'is', keyValue: 'null' },
        { keyName: 'text', condition: 'fullText', searchFunction: 'wfts', keyValue: 'a b' },
      ),
    },
    'GET /tasks?and=(name.like."A*",gone.is.null,text.wfts."a b")&limit=2',
    null,
  ],
  [
    { operation: 'getAll', limit: 2, filterType: 'string', filterString: 'age=gt.30&age=lt.40&order=name' },
    'GET /tasks?age=gt.30&age=lt.40&order=name&limit=2',
    null,
  ],
])('%j sends %s', async (parameters, request, body) => {
  await run(parameters, { json: [{ name: 'Ada', age: 36, x: 1, y: 2 }] });
  expect(sent()).toEqual([[request, body]]);
});

test('no value or column name can add a condition', async () => {
  await run({ operation: 'delete', ...where({ keyName: 'a,b', condition: 'eq', keyValue: 'x"),id.not.is.null,or(\\' }) });
  expect(sent()).toEqual([['DELETE /tasks?or=("a,b".eq."x\\"),id.not.is.null,or(\\\\")', null]]);
});

test('the schema is sent for reading and for writing', async () => {
  const custom = { useCustomSchema: true, schema: 'shop' };
  await run({ ...custom, operation: 'getAll', limit: 1 });
  await run({ ...custom });
  expect(server.received.map(({ headers }) => [headers['accept-profile'], headers['content-profile']])).toEqual([
    ['shop', undefined],
    [undefined, 'shop'],
  ]);
});

test('a list is read to its end, regardless of the page size, or to the limit', async () => {
  expect(await run({ operation: 'getAll', returnAll: true })).toHaveLength(2);
  expect(sent().map(([request]) => request)).toEqual(['GET /tasks?limit=1000', 'GET /tasks?limit=1000&offset=2']);
  expect(await run({ operation: 'getAll', limit: 1 })).toHaveLength(1);
});

test.each<[JsonObject, string]>([
  [{ operation: 'delete' }, 'there is no condition for the rows'],
  [{ operation: 'update', filterType: 'string', filterString: ' ' }, 'there is no condition for the rows'],
  [{ operation: 'get' }, 'there is no condition for the rows'],
  [{ operation: 'delete', ...where({ keyValue: 'x' }) }, 'a condition has no column'],
  [
    { operation: 'delete', ...where({ keyName: 'a', condition: 'eq.1,or', keyValue: 'x' }) },
    'the condition "eq.1,or" does not exist',
  ],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('a long filter keeps every condition: fewer conditions would delete more rows', async () => {
  const filterString = `id=in.(${'1,'.repeat(10_000)}1)&owner=eq.ann`;
  await expect(run({ operation: 'delete', filterType: 'string', filterString })).rejects.toMatchObject({
    message: 'the parameter "filterString" has more than 20000 characters',
    itemIndex: 0,
  });
  expect(server.received).toEqual([]);
});

test('an error includes the code and text from the database, and a hint', async () => {
  server.on('GET /rest/v1/:table', () => ({
    status: 404,
    json: { code: 'PGRST205', message: "Could not find the table 'public.x' in the schema cache", details: null, hint: null },
  }));
  const parameters = { tableId: 'x', operation: 'getAll' };
  await expect(runNode(supabase, { parameters, http: server.http, credentials })).rejects.toMatchObject({
    message: "Supabase: Could not find the table 'public.x' in the schema cache (PGRST205)",
    description: 'Check the table and its schema: there is no such table',
  });
});

test('only the failed item has an error if the node continues', async () => {
  server.on('POST /rest/v1/:table', ({ count, body }) =>
    count === 1 ? { status: 409, json: { code: '23505', message: 'duplicate key' } } : { status: 201, json: [body] },
  );
  const output = await run({ dataToSend: 'autoMapInputData' }, { json: [{ id: 1 }, { id: 2 }], continueOnFail: true });
  expect(output).toEqual([{ error: 'Supabase: duplicate key (23505)' }, { id: 2 }]);
});

test('a rate-limited request is retried', async () => {
  server.on('GET /rest/v1/:table', ({ count }) =>
    count === 1 ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : { json: [{ id: 1 }] },
  );
  expect(await run({ operation: 'getAll', limit: 1 })).toEqual([{ id: 1 }]);
});

test('tables and columns can be chosen', async () => {
  const context: MethodContext = webhookContext({ http: server.http, credentials, parameters: { tableId: 'tasks' } });
  const { loadOptions } = supabase.methods ?? {};
  expect(await loadOptions?.['getTables']?.(context)).toEqual([{ name: 'tasks', value: 'tasks' }]);
  expect(await loadOptions?.['getColumns']?.(context)).toEqual([
    { name: 'id', value: 'id' },
    { name: 'name', value: 'name' },
  ]);
});
