import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject, MethodContext } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { example } from './microsoft-to-do.example.ts';
import { microsoftToDo } from './microsoft-to-do.ts';
import { toDoServer } from './testing/to-do-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await toDoServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { microsoftToDoOAuth2Api: { clientId: 'c', clientSecret: 's', oauthTokenData: { access_token: 't' } } };
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(microsoftToDo, { parameters, http: server.http, credentials, ...more });
const sent = () =>
  server.received.map(({ method, url }) => `${method} ${decodeURIComponent(url.replace('/v1.0/me/todo', ''))}`);

test('the example', async () => {
  expect(await run(example.parameters)).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual(['POST /lists/l1/tasks']);
});

const list = { resource: 'list' };
const task = { taskListId: 'l1', taskId: 't1' };
const link = { ...task, resource: 'linkedResource', linkedResourceId: 'r1' };
test.each<[JsonObject, string, JsonObject | undefined]>([
  [{ ...list, operation: 'create', displayName: 'Errands' }, 'POST /lists', { displayName: 'Errands' }],
  [{ ...list, operation: 'get', listId: 'l1' }, 'GET /lists/l1', undefined],
  [{ ...list, operation: 'update', listId: 'l1', displayName: 'Home' }, 'PATCH /lists/l1', { displayName: 'Home' }],
  [{ ...list, operation: 'delete', listId: 'l1' }, 'DELETE /lists/l1', undefined],
  [{ ...task, operation: 'get' }, 'GET /lists/l1/tasks/t1', undefined],
  [{ ...task, operation: 'delete' }, 'DELETE /lists/l1/tasks/t1', undefined],
  [
    {
      ...task,
      operation: 'update',
      updateFields: {
        status: 'completed',
        title: 'New',
        reminderDateTime: '2026-01-31T12:00:00+01:00',
        dueDateTime: '2026-02-01T00:00:00',
      },
    },
    'PATCH /lists/l1/tasks/t1',
    {
      status: 'completed',
      title: 'New',
      dueDateTime: { dateTime: '2026-02-01T00:00:00', timeZone: 'Europe/Berlin' },
      reminderDateTime: { dateTime: '2026-01-31T11:00:00.000', timeZone: 'UTC' },
      isReminderOn: true,
    },
  ],
  [
    {
      ...link,
      operation: 'create',
      displayName: 'Order 7',
      applicationName: 'Shop',
      additionalFields: { webUrl: 'https://shop.example/7', externalId: '7' },
    },
    'POST /lists/l1/tasks/t1/linkedResources',
    { displayName: 'Order 7', applicationName: 'Shop', webUrl: 'https://shop.example/7', externalId: '7' },
  ],
  [{ ...link, operation: 'get' }, 'GET /lists/l1/tasks/t1/linkedResources/r1', undefined],
  [
    { ...link, operation: 'update', updateFields: { displayName: 'Order 8' } },
    'PATCH /lists/l1/tasks/t1/linkedResources/r1',
    { displayName: 'Order 8' },
  ],
  [{ ...link, operation: 'delete' }, 'DELETE /lists/l1/tasks/t1/linkedResources/r1', undefined],
])('is one request: %j', async (parameters, request, body) => {
  expect(await run(parameters, { timezone: 'Europe/Berlin' })).toHaveLength(1);
  expect(sent()).toEqual([request]);
  const sentBody = server.received[0]?.body.toString() ?? '';
  expect(sentBody === '' ? undefined : JSON.parse(sentBody)).toEqual(body);
});

test.each<[JsonObject, string]>([
  [list, '/lists'],
  [{ taskListId: 'l1' }, '/lists/l1/tasks'],
  [link, '/lists/l1/tasks/t1/linkedResources'],
])('%j are listed to their end, or to the limit', async (parameters, path) => {
  expect(await run({ ...parameters, operation: 'getAll', returnAll: true })).toHaveLength(2);
  expect(await run({ ...parameters, operation: 'getAll', limit: 1 })).toHaveLength(1);
  expect(sent()).toEqual([`GET ${path}?$top=100`, `GET ${path}?$top=100&$skip=1`, `GET ${path}?$top=1`]);
});

test('an ID is one part of the path', async () => {
  await run({ operation: 'get', taskListId: 'l1', taskId: 'A/B=?' });
  expect(server.received[0]?.url).toBe('/v1.0/me/todo/lists/l1/tasks/A%2FB%3D%3F');
});

test.each<[JsonObject, string]>([
  [{ operation: 'create', title: 'a' }, 'the parameter "taskListId" is required'],
  [{ ...task, operation: 'create' }, 'the parameter "title" is required'],
  [{ operation: 'get', taskListId: 'l1' }, 'the parameter "taskId" is required'],
  [{ ...link, operation: 'create', displayName: 'a' }, 'the parameter "applicationName" is required'],
  [{ ...task, operation: 'create', title: 'a', additionalFields: { dueDateTime: '99:99Z' } }, '"99:99Z" is not a time'],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('a failed item does not affect the others, and a rate-limited request is retried', async () => {
  server.on('GET /v1.0/me/todo/lists/:list/tasks/:id', ({ count }) => {
    if (count === 1) return { status: 404, json: { error: { code: 'ErrorItemNotFound', message: 'Not found' } } };
    return count === 2 ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : { json: { id: 't1' } };
  });
  expect(await run({ ...task, operation: 'get' }, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'Microsoft To Do: Not found (ErrorItemNotFound)' },
    { id: 't1' },
  ]);
});

test('lists can be chosen', async () => {
  const context: MethodContext = webhookContext({ http: server.http, credentials });
  expect(await microsoftToDo.methods?.loadOptions?.['getTaskLists']?.(context)).toEqual([
    { name: 'Errands', value: 'l1' },
    { name: '', value: 'l2' },
  ]);
});
