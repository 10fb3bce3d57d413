import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject, MethodContext } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { example } from './asana.example.ts';
import { asana } from './asana.ts';
import { asanaServer } from './testing/asana-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await asanaServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { asanaApi: { accessToken: 't1' }, asanaOAuth2Api: { oauthTokenData: { access_token: 't1' } } };
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(asana, { parameters, http: server.http, credentials, ...more });
const sent = () => server.received.map(({ method, url }) => `${method} ${decodeURIComponent(url.replace('/api/1.0', ''))}`);
const dataOf = (index = -1) => {
  const text = server.received.at(index)?.body.toString() ?? '';
  return text === '' ? undefined : JSON.parse(text).data;
};

test('the example, with OAuth2 as well', async () => {
  expect(await run(example.parameters)).toEqual(example.outputs?.[0]);
  expect(await run({ ...example.parameters, authentication: 'oAuth2' })).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual(['POST /tasks', 'POST /tasks']);
});

test.each<[JsonObject, string, JsonObject | undefined]>([
  [{ operation: 'get', id: '5' }, 'GET /tasks/5', undefined],
  [{ operation: 'delete', id: '5' }, 'DELETE /tasks/5', undefined],
  [
    { operation: 'update', id: '5', otherProperties: { name: 'New', completed: true, due_on: '2026-01-31T23:30:00Z' } },
    'PUT /tasks/5',
    { name: 'New', completed: true, due_on: '2026-02-01' },
  ],
  [{ operation: 'move', id: '5', projectId: '2', section: '9' }, 'POST /sections/9/addTask', { task: '5' }],
  [
    { operation: 'search', workspace: '1', searchTaskProperties: { text: 'Ada', completed: false } },
    'GET /workspaces/1/tasks/search?text=Ada&completed=false&limit=100',
    undefined,
  ],
  [
    { resource: 'subtask', taskId: '5', name: 'Part', otherProperties: { assignee: 'me' } },
    'POST /tasks/5/subtasks',
    { name: 'Part', assignee: 'me' },
  ],
  [
    { resource: 'taskComment', id: '5', text: 'Hi', additionalFields: { is_pinned: true } },
    'POST /tasks/5/stories',
    { text: 'Hi', is_pinned: true },
  ],
  [
    { resource: 'taskComment', id: '5', text: '<b>Hi</b>', isTextHtml: true },
    'POST /tasks/5/stories',
    { html_text: '<body><b>Hi</b></body>' },
  ],
  [{ resource: 'taskComment', operation: 'remove', id: '8' }, 'DELETE /stories/8', undefined],
  [{ resource: 'taskTag', id: '5', tag: '6' }, 'POST /tasks/5/addTag', { tag: '6' }],
  [{ resource: 'taskTag', operation: 'remove', id: '5', tag: '6' }, 'POST /tasks/5/removeTag', { tag: '6' }],
  [
    { resource: 'taskProject', id: '5', project: '2', additionalFields: { section: '9', insert_after: '' } },
    'POST /tasks/5/addProject',
    { project: '2', section: '9' },
  ],
  [{ resource: 'taskProject', operation: 'remove', id: '5', project: '2' }, 'POST /tasks/5/removeProject', { project: '2' }],
  [
    { resource: 'project', operation: 'create', name: 'P', workspace: '1', team: '', additionalFields: { color: 'dark-red' } },
    'POST /projects',
    { name: 'P', workspace: '1', color: 'dark-red' },
  ],
  [{ resource: 'project', id: '2' }, 'GET /projects/2', undefined],
  [{ resource: 'project', operation: 'delete', id: '2' }, 'DELETE /projects/2', undefined],
  [
    { resource: 'project', operation: 'update', id: '2', updateFields: { name: 'Q', owner: 'me' } },
    'PUT /projects/2',
    { name: 'Q', owner: 'me' },
  ],
  [{ resource: 'user', userId: 'me' }, 'GET /users/me', undefined],
  [{ resource: 'user', operation: 'getAll', workspace: '1' }, 'GET /workspaces/1/users', undefined],
])('is one request: %j', async (parameters, request, data) => {
  const output = await run(parameters, { timezone: 'Europe/Berlin' });
  expect(sent()).toEqual([request]);
  expect(dataOf()).toEqual(data);
  expect(output).toEqual([
    expect.objectContaining(/DELETE|Task$|Tag|Project/.test(request) ? { success: true } : { gid: expect.any(String) }),
  ]);
});

test.each<[JsonObject, string[]]>([
  [
    { operation: 'getAll', returnAll: true, filters: { project: '2', opt_fields: ['name', 'due_on'] } },
    [
      'GET /tasks?project=2&opt_fields=name,due_on&limit=100',
      'GET /tasks?project=2&opt_fields=name,due_on&limit=100&offset=p2',
    ],
  ],
  [
    { operation: 'getAll', limit: 1, filters: { assignee: 'me', workspace: '1' } },
    ['GET /tasks?assignee=me&workspace=1&limit=1'],
  ],
  [{ resource: 'subtask', operation: 'getAll', taskId: '5', limit: 1 }, ['GET /tasks/5/subtasks?limit=1']],
  [
    { resource: 'project', operation: 'getAll', workspace: '1', limit: 1, additionalFields: { archived: false } },
    ['GET /projects?workspace=1&archived=false&limit=1'],
  ],
  [
    { resource: 'project', operation: 'getAll', workspace: '1', limit: 1, additionalFields: { teams: ['4'] } },
    ['GET /projects?team=4&limit=1'],
  ],
])('lists are read to their end, or to the limit: %j', async (parameters, requests) => {
  expect(await run(parameters)).toHaveLength(parameters['returnAll'] === true ? 2 : 1);
  expect(sent()).toEqual(requests);
});

test.each<[JsonObject, string]>([
  [{ operation: 'getAll', filters: { assignee: 'me' } }, 'no list of tasks is chosen'],
  [{ operation: 'get' }, 'the parameter "id" is required'],
  [{ operation: 'update', id: '5', otherProperties: { due_on: 'soon' } }, 'the field "due_on" is not a date'],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('an error includes the text from Asana; a failed item does not affect the others', async () => {
  server.on('GET /api/1.0/tasks/:id', ({ count }) =>
    count === 1
      ? { status: 404, json: { errors: [{ message: 'task: Unknown object: 5', help: 'See the docs' }] } }
      : { json: { data: { gid: '5' } } },
  );
  expect(await run({ operation: 'get', id: '5' }, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'Asana: task: Unknown object: 5 (404)' },
    { gid: '5' },
  ]);
});

test('a rate-limited request is retried', async () => {
  server.on('GET /api/1.0/tasks/:id', ({ count }) =>
    count === 1 ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : { json: { data: { gid: '5' } } },
  );
  expect(await run({ operation: 'get', id: '5' })).toEqual([{ gid: '5' }]);
});

test.each<[string, JsonObject, string]>([
  ['getWorkspaces', {}, 'GET /workspaces?limit=100'],
  ['getProjects', { workspace: '1' }, 'GET /projects?archived=false&workspace=1&limit=100'],
  ['getSections', { projectId: '2' }, 'GET /projects/2/sections?limit=100'],
  ['getTags', { workspace: '1' }, 'GET /tags?workspace=1&limit=100'],
  ['getTeams', { workspace: '1' }, 'GET /workspaces/1/teams?limit=100'],
  ['getUsers', {}, 'GET /users?limit=100'],
])('an editor lists choices: %s', async (method, parameters, request) => {
  const context: MethodContext = webhookContext({ http: server.http, credentials, parameters });
  expect(await asana.methods?.loadOptions?.[method]?.(context)).toEqual([
    { name: 'A', value: '1' },
    { name: 'B', value: '2' },
  ]);
  expect(sent()[0]).toBe(request);
});
