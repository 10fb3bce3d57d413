import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue, MethodContext } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { todoistServer } from './testing/todoist-server.ts';
import { example } from './todoist.example.ts';
import { todoist } from './todoist.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await todoistServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = {
  todoistApi: { apiKey: 'k1' },
  todoistOAuth2Api: { oauthTokenData: { access_token: 'k1' } },
};
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(todoist, { parameters: { taskId: 't1', ...parameters }, http: server.http, credentials, ...more });
const sent = () =>
  server.received.map(({ method, url, body }): JsonValue[] => [
    `${method} ${decodeURIComponent(url.replace('/api/v1', ''))}`,
    body.length > 0 ? JSON.parse(body.toString()) : null,
  ]);
const create = { operation: 'create', project: { __rl: true, mode: 'list', value: 'p1' }, content: 'Call' };

test('the example', async () => {
  expect(await run(example.parameters)).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual([
    ['POST /tasks', { content: 'Call Ada', project_id: '6P79Pc', due_datetime: '2026-01-31T09:00:00Z', priority: 3 }],
  ]);
});

test.each<[JsonObject, string, JsonValue]>([
  [
    {
      ...create,
      labels: ['home', 'now'],
      options: {
        description: 'D',
        dueDateTime: '2026-01-31T12:00:00',
        dueString: 'every day',
        dueLang: 'de',
        order: 2,
        parentId: 't0',
        section: 's1',
      },
    },
    'POST /tasks',
    {
      content: 'Call',
      project_id: 'p1',
      labels: ['home', 'now'],
      description: 'D',
      order: 2,
      due_datetime: '2026-01-31T11:00:00Z',
      due_string: 'every day',
      due_lang: 'de',
      parent_id: 't0',
      section_id: 's1',
    },
  ],
  [{ operation: 'get' }, 'GET /tasks/t1', null],
  [{ operation: 'close' }, 'POST /tasks/t1/close', null],
  [{ operation: 'reopen' }, 'POST /tasks/t1/reopen', null],
  [{ operation: 'delete', authentication: 'oAuth2' }, 'DELETE /tasks/t1', null],
  [
    { operation: 'update', updateFields: { content: 'New', labels: [], priority: 4 } },
    'POST /tasks/t1',
    { content: 'New', labels: [], priority: 4 },
  ],
  [{ operation: 'move', project: 'p2' }, 'POST /tasks/t1/move', { project_id: 'p2' }],
  [{ operation: 'move', project: 'p2', section: 's2' }, 'POST /tasks/t1/move', { section_id: 's2' }],
  [{ operation: 'move', project: 'p2', options: { section: 's2' } }, 'POST /tasks/t1/move', { section_id: 's2' }],
  [{ operation: 'move', project: 'p2', section: 's2', options: { parent: 't2' } }, 'POST /tasks/t1/move', { parent_id: 't2' }],
  [
    { operation: 'quickAdd', text: 'Call Ada tomorrow', options: { note: 'N', auto_reminder: true } },
    'POST /tasks/quick',
    { text: 'Call Ada tomorrow', note: 'N', auto_reminder: true },
  ],
])('%j is one request', async (parameters, request, body) => {
  expect(await run(parameters, { timezone: 'Europe/Berlin' })).toHaveLength(1);
  expect(sent()).toEqual([[request, body]]);
});

test('the project of version 1 is an ID', async () => {
  await run({ ...create, project: 2299363018 }, { typeVersion: 1 });
  expect(sent()[0]?.[1]).toMatchObject({ project_id: '2299363018' });
});

test('tasks are listed to their end, or to the limit', async () => {
  const filters = { projectId: 'p1', sectionId: 's1', parentId: 't0', labelId: 'home', ids: 't1, t2' };
  expect(await run({ operation: 'getAll', returnAll: true, filters })).toHaveLength(2);
  expect(await run({ operation: 'getAll', limit: 1 })).toHaveLength(1);
  const query = 'project_id=p1&section_id=s1&parent_id=t0&label=home&ids=t1,t2&limit=200';
  expect(sent().map(([request]) => request)).toEqual([
    `GET /tasks?${query}`,
    `GET /tasks?${query}&cursor=c2`,
    'GET /tasks?limit=1',
  ]);
});

test('a filter of Todoist replaces the others', async () => {
  await run({ operation: 'getAll', limit: 1, filters: { filter: 'today | overdue', lang: 'en', projectId: 'p1' } });
  expect(sent()).toEqual([['GET /tasks/filter?query=today+|+overdue&lang=en&limit=1', null]]);
});

test.each<[JsonObject, string]>([
  [{ ...create, project: { __rl: true, mode: 'list', value: '' } }, 'the parameter "project" is required'],
  [{ ...create, content: '' }, 'the parameter "content" is required'],
  [{ ...create, options: { dueDateTime: 'soon' } }, 'the parameter "options.dueDateTime" is not a date'],
  [{ operation: 'get', taskId: '' }, 'the parameter "taskId" is required'],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('an error includes the tag and text from Todoist; a failed item does not affect the others, and a request over the limit is retried', async () => {
  server.on('GET /api/v1/tasks/:id', ({ count }) => {
    if (count === 1) return { status: 404, json: { error: 'Task not found', error_tag: 'TASK_NOT_FOUND' } };
    return count === 2 ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : { json: { id: 't1' } };
  });
  expect(await run({ operation: 'get' }, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'Todoist: Task not found (TASK_NOT_FOUND)' },
    { id: 't1' },
  ]);
});

test('editors choose projects, sections, and labels', async () => {
  const context = (parameters: JsonObject = {}): MethodContext =>
    webhookContext({ http: server.http, credentials, parameters });
  const { listSearch, loadOptions } = todoist.methods ?? {};
  const both = [
    { name: 'One', value: '1' },
    { name: 'Two', value: '2' },
  ];
  expect(await listSearch?.['searchProjects']?.(context(), 'tw')).toEqual({ results: [both[1]] });
  expect(await loadOptions?.['getProjects']?.(context())).toEqual(both);
  expect(await loadOptions?.['getLabels']?.(context())).toEqual(both.map(({ name }) => ({ name, value: name })));
  server.received.splice(0);
  expect(await loadOptions?.['getSections']?.(context({ project: create.project }))).toEqual(both);
  expect(sent()[0]?.[0]).toBe('GET /sections?project_id=p1&limit=200');
});
