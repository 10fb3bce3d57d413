import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue, MethodContext } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { example } from './click-up.example.ts';
import { clickUp } from './click-up.ts';
import { clickUpServer } from './testing/click-up-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await clickUpServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { clickUpApi: { accessToken: 'pk1' } };
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(clickUp, { parameters, http: server.http, credentials, ...more });
const sent = () =>
  server.received.map(({ method, url, body }): JsonValue[] => [
    `${method} ${url.replace('/api/v2', '')}`,
    body.length > 0 ? JSON.parse(body.toString()) : null,
  ]);
const at = Date.parse('2026-02-01T00:00:00Z');

test('the example', async () => {
  const additionalFields = { content: 'Ask Ann', dueDate: '2026-02-01T00:00:00Z', priority: 2 };
  expect(await run({ ...example.parameters, name: 'Plan', additionalFields })).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual([['POST /list/l1/task', { name: 'Plan', priority: 2, content: 'Ask Ann', due_date: at }]]);
});

const list = { resource: 'list' };
const folder = { resource: 'folder' };
const entry = { resource: 'timeEntry', team: 'w1' };
test.each<[JsonObject, string, JsonValue]>([
  [
    {
      operation: 'create',
      list: 'l1',
      name: 'T',
      additionalFields: {
        assignees: ['5'],
        tags: 'a, b',
        content: '# x',
        isMarkdownContent: true,
        parentId: 't0',
        notifyAll: true,
        customFieldsJson: '[{"id":"f1","value":1}]',
      },
    },
    'POST /list/l1/task',
    {
      name: 'T',
      parent: 't0',
      notify_all: true,
      markdown_content: '# x',
      assignees: [5],
      tags: ['a', 'b'],
      custom_fields: [{ id: 'f1', value: 1 }],
    },
  ],
  [{ operation: 'get', id: 't1', includeSubtasks: true }, 'GET /task/t1?include_subtasks=true', null],
  [{ operation: 'delete', id: 't1' }, 'DELETE /task/t1', null],
  [
    { operation: 'update', id: 't1', updateFields: { name: 'U', status: 'done', addAssignee: '5', removeAssignee: [6] } },
    'PUT /task/t1',
    { name: 'U', status: 'done', assignees: { add: [5], rem: [6] } },
  ],
  [{ operation: 'setCustomField', task: 't1', field: 'f1', value: 'x' }, 'POST /task/t1/field/f1', { value: 'x' }],
  [
    { operation: 'setCustomField', task: 't1', field: 'f1', jsonParse: true, value: '{"add":[1]}' },
    'POST /task/t1/field/f1',
    { value: { add: [1] } },
  ],
  [{ ...list, folderless: true, space: 's1', name: 'L' }, 'POST /space/s1/list', { name: 'L' }],
  [
    { ...list, folder: 'd1', name: 'L', additionalFields: { content: 'x', dueDate: at } },
    'POST /folder/d1/list',
    { name: 'L', content: 'x', due_date: at },
  ],
  [{ ...list, operation: 'get', list: 'l1' }, 'GET /list/l1', null],
  [
    { ...list, operation: 'update', list: 'l1', updateFields: { name: 'M', unsetStatus: true } },
    'PUT /list/l1',
    { name: 'M', unset_status: true },
  ],
  [{ ...folder, space: 's1', name: 'F' }, 'POST /space/s1/folder', { name: 'F' }],
  [{ ...folder, operation: 'get', folder: 'd1' }, 'GET /folder/d1', null],
  [{ ...folder, operation: 'update', folder: 'd1', updateFields: { name: 'G' } }, 'PUT /folder/d1', { name: 'G' }],
  [{ ...folder, operation: 'delete', folder: 'd1' }, 'DELETE /folder/d1', null],
  [{ ...entry, operation: 'get', running: true }, 'GET /team/w1/time_entries/current', null],
  [{ ...entry, operation: 'get', timeEntry: 'e1' }, 'GET /team/w1/time_entries/e1', null],
])('%j sends %s', async (parameters, request, body) => {
  expect(await run({ operation: 'create', ...parameters })).toHaveLength(1);
  expect(sent()).toEqual([[request, body]]);
});

test.each<[JsonObject, string]>([
  [
    {
      operation: 'getAll',
      list: 'l1',
      filters: { subtasks: true, dueDateGt: '2026-02-01T00:00:00Z', statuses: 'open', orderBy: 'dueDate' },
    },
    `GET /list/l1/task?page=0&order_by=due_date&subtasks=true&statuses%5B%5D=open&due_date_gt=${at}`,
  ],
  [{ ...list, operation: 'getAll', folder: 'd1', filters: { archived: true } }, 'GET /folder/d1/list?archived=true'],
  [{ ...list, operation: 'getAll', folderless: true, space: 's1' }, 'GET /space/s1/list'],
  [{ ...folder, operation: 'getAll', space: 's1' }, 'GET /space/s1/folder'],
  [{ ...entry, operation: 'getAll' }, 'GET /team/w1/time_entries'],
])('%j lists by %s', async (parameters, request) => {
  expect(await run(parameters)).toHaveLength(2);
  expect(sent()).toEqual([[request, null]]);
});

test.each([100, 97])('a list with a first page of %d tasks is read to its end, or to the limit', async (length) => {
  const full = Array.from({ length }, (_, id) => ({ id }));
  server.on('GET /api/v2/list/:list/task', ({ query }) => ({
    json: query['page'] === '0' ? { tasks: full, last_page: false } : { tasks: [{ id: 100 }], last_page: true },
  }));
  expect(await run({ operation: 'getAll', list: 'l1', returnAll: true })).toHaveLength(length + 1);
  expect(await run({ operation: 'getAll', list: 'l1', limit: 3 })).toHaveLength(3);
  expect(server.received).toHaveLength(3);
});

test('an error includes the code and text from ClickUp', async () => {
  server.on('GET /api/v2/task/:id', () => ({ status: 401, json: { err: 'Team not authorized', ECODE: 'OAUTH_027' } }));
  await expect(run({ operation: 'get', id: 't1' })).rejects.toThrow('ClickUp: Team not authorized (OAUTH_027)');
});

test('only the failed item has an error if the node continues', async () => {
  server.on('GET /api/v2/task/:id', ({ count }) =>
    count === 1 ? { status: 404, json: { err: 'Task not found' } } : { json: { id: 't1' } },
  );
  const output = await run({ operation: 'get', id: 't1' }, { json: [{}, {}], continueOnFail: true });
  expect(output).toEqual([{ error: 'ClickUp: Task not found (404)' }, { id: 't1' }]);
});

test('a rate-limited request is retried', async () => {
  server.on('GET /api/v2/task/:id', ({ count }) =>
    count === 1 ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : { json: { id: 't1' } },
  );
  expect(await run({ operation: 'get', id: 't1' })).toEqual([{ id: 't1' }]);
});

test('an invalid date is rejected before a request', async () => {
  const requests = run({ operation: 'update', id: 't1', updateFields: { dueDate: 'soon' } });
  await expect(requests).rejects.toMatchObject({ message: 'a date cannot be read', itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test.each([
  ['getTeams', {}, '/team'],
  ['getSpaces', { team: 'w1' }, '/team/w1/space'],
  ['getFolders', { space: 's1' }, '/space/s1/folder'],
  ['getLists', { folder: 'd1' }, '/folder/d1/list'],
  ['getLists', { space: 's1', folderless: true }, '/space/s1/list'],
])('editors choose by name: %s with %j', async (method, parameters: JsonObject, path) => {
  const context: MethodContext = webhookContext({ http: server.http, credentials, parameters });
  expect(await clickUp.methods?.loadOptions?.[method]?.(context)).toEqual([
    { name: 'One', value: '1' },
    { name: 'Two', value: '2' },
  ]);
  expect(sent()).toEqual([[`GET ${path}`, null]]);
});
