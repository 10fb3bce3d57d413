import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject, MethodContext } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { example } from './google-tasks.example.ts';
import { googleTasks } from './google-tasks.ts';
import { googleTasksServer } from './testing/google-tasks-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await googleTasksServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { googleTasksOAuth2Api: { oauthTokenData: { access_token: 'ya29' } } };
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(googleTasks, { parameters: { task: 'l1', ...parameters }, http: server.http, credentials, ...more });
const sent = () => server.received.map(({ method, url }) => `${method} ${decodeURIComponent(url.replace('/tasks/v1', ''))}`);

test('the example', async () => {
  expect(await run(example.parameters)).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual(['POST /lists/@default/tasks']);
});

test.each<[JsonObject, string, JsonObject | undefined]>([
  [{ operation: 'get', taskId: 't1' }, 'GET /lists/l1/tasks/t1', undefined],
  [{ operation: 'delete', taskId: 't1' }, 'DELETE /lists/l1/tasks/t1', undefined],
  [
    { title: '', additionalFields: { parent: 'p', previous: 'q', status: 'completed', completed: '2026-01-31T12:00:00' } },
    'POST /lists/l1/tasks?parent=p&previous=q',
    { status: 'completed', completed: '2026-01-31T11:00:00.000Z' },
  ],
  [
    {
      operation: 'update',
      taskId: 't1',
      updateFields: { title: 'New', deleted: true, notes: '', dueDate: '2026-01-31T23:30:00Z' },
    },
    'PATCH /lists/l1/tasks/t1',
    { title: 'New', deleted: true, due: '2026-02-01T00:00:00.000Z' },
  ],
])('is one request: %j', async (parameters, request, body) => {
  await run(parameters, { timezone: 'Europe/Berlin' });
  expect(sent()).toEqual([request]);
  const sentBody = server.received[0]?.body.toString() ?? '';
  expect(sentBody === '' ? undefined : JSON.parse(sentBody)).toEqual(body);
});

test('tasks are listed to their end, or to the limit', async () => {
  expect(await run({ operation: 'getAll', returnAll: true })).toHaveLength(2);
  const additionalFields = { showCompleted: false, dueMin: '2026-01-31T00:00:00Z' };
  expect(await run({ operation: 'getAll', limit: 1, additionalFields })).toHaveLength(1);
  expect(sent()).toEqual([
    'GET /lists/l1/tasks?maxResults=100',
    'GET /lists/l1/tasks?maxResults=100&pageToken=p2',
    'GET /lists/l1/tasks?showCompleted=false&dueMin=2026-01-31T00:00:00.000Z&maxResults=1',
  ]);
});

test.each<[JsonObject, string]>([
  [{ task: '' }, 'the parameter "task" is required'],
  [{ operation: 'get' }, 'the parameter "taskId" is required'],
  [{ additionalFields: { dueDate: 'soon' } }, 'the due date is not a date'],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('an error includes the reason from Google; a failed item does not affect the others, and a request over the quota is retried', async () => {
  server.on('GET /tasks/v1/lists/:list/tasks/:id', ({ count }) => {
    if (count === 1)
      return { status: 404, json: { error: { code: 404, message: 'Not found', errors: [{ reason: 'notFound' }] } } };
    return count === 2 ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : { json: { id: 't1' } };
  });
  expect(await run({ operation: 'get', taskId: 't1' }, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'Google Tasks: Not found (notFound)' },
    { id: 't1' },
  ]);
});

test('lists can be chosen', async () => {
  const context: MethodContext = webhookContext({ http: server.http, credentials });
  expect(await googleTasks.methods?.loadOptions?.['getTasks']?.(context)).toEqual([{ name: 'My Tasks', value: 'l1' }]);
});
