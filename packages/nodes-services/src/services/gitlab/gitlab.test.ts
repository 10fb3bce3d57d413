import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { type FakeRun, memoryBinary, runForJson, runNode } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './gitlab.example.ts';
import { gitlab } from './gitlab.ts';
import { gitlabServer } from './testing/gitlab-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await gitlabServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const base = { owner: 'acme', repository: 'backups' };
const context = (parameters: JsonObject, more: FakeRun = {}): FakeRun => ({
  parameters: { ...base, ...parameters },
  http: server.http,
  credentials: { gitlabApi: { server: 'https://gitlab.com/', accessToken: 't1' } },
  ...more,
});
const run = (parameters: JsonObject, more: FakeRun = {}) => runForJson(gitlab, context(parameters, more));
const sent = () => server.received.map(({ method, url }) => `${method} ${url.replace('/api/v4/projects/acme%2Fbackups', '')}`);
const bodies = () => server.received.map(({ body }) => JSON.parse(body.toString()));

test('the example', async () => {
  expect(await run({ ...example.parameters, fileContent: '{"total":120}' })).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual(['POST /repository/files/reports%2Ftoday.json']);
  expect(bodies()).toEqual([{ branch: 'main', commit_message: 'Report of today', content: '{"total":120}', encoding: 'text' }]);
});

test('a commit names its author', async () => {
  const additionalParameters = { author: { name: 'Ada', email: 'ada@example.com' } };
  const parameters = { resource: 'file', operation: 'edit', filePath: '/a.txt', branch: 'main', commitMessage: 'm' };
  await run({ ...parameters, fileContent: 'x', additionalParameters });
  expect(sent()).toEqual(['PUT /repository/files/a.txt']);
  expect(bodies()[0]).toMatchObject({ author_name: 'Ada', author_email: 'ada@example.com' });
});

test('a file of the item is sent in Base64', async () => {
  const parameters = { resource: 'file', filePath: 'a.bin', branch: 'main', commitMessage: 'm', binaryData: true };
  const binary = memoryBinary();
  const data = await binary.store(Buffer.from('Hi'), { fileName: 'a.bin' });
  await run(parameters, { binary, inputs: [[{ json: {}, binary: { data } }]] });
  expect(bodies()[0]).toMatchObject({ content: 'SGk=', encoding: 'base64' });
});

test('a file is read in Base64, or as a file', async () => {
  const parameters = { resource: 'file', operation: 'get', filePath: 'reports/today.json' };
  expect(await run({ ...parameters, asBinaryProperty: false })).toMatchObject([{ content: 'e30=' }]);
  const reference = { additionalParameters: { reference: 'v1' } };
  const [items] = await runNode(gitlab, context({ ...parameters, binaryPropertyName: 'file', ...reference }));
  const item = items?.[0];
  expect(item?.json).toEqual({ file_name: 'today.json', file_path: 'reports/today.json', size: 2, ref: 'main' });
  expect(item?.binary?.['file']).toMatchObject({ fileName: 'today.json', mimeType: 'application/json' });
  expect(sent()).toEqual([
    'GET /repository/files/reports%2Ftoday.json?ref=HEAD',
    'GET /repository/files/reports%2Ftoday.json?ref=v1',
    'GET /repository/files/reports%2Ftoday.json/raw?ref=v1',
  ]);
});

test('a file is deleted, and a folder listed', async () => {
  const commit = { branch: 'main', commitMessage: 'm' };
  expect(await run({ resource: 'file', operation: 'delete', filePath: 'a', ...commit })).toEqual([{ success: true }]);
  expect(await run({ resource: 'file', operation: 'list', filePath: 'reports' })).toEqual([
    { name: 'today.json', type: 'blob' },
  ]);
});

test('an issue is created with labels, assignees, and a day', async () => {
  const parameters = {
    title: 'Broken',
    body: 'It is.',
    due_date: '2026-01-31T23:30:00',
    labels: [{ label: 'bug' }, { label: 'urgent' }],
    assignee_ids: [{ assignee: 3 }],
  };
  await run(parameters);
  expect(bodies()).toEqual([
    { title: 'Broken', description: 'It is.', due_date: '2026-01-31', labels: 'bug,urgent', assignee_ids: [3] },
  ]);
});

test.each(['ada', -1, { toString: 1 }])('an assignee that is not an ID is refused before a request: %j', async (assignee) => {
  await expect(run({ title: 'Broken', assignee_ids: [{ assignee }] })).rejects.toMatchObject({
    message: 'an assignee is not the ID of a user',
    itemIndex: 0,
  });
  expect(server.received).toEqual([]);
});

test('an issue is read, changed, locked, and commented', async () => {
  expect(await run({ operation: 'get', issueNumber: 5 })).toEqual([{ iid: 5 }]);
  const editFields = { state: 'closed', title: 'Fixed' };
  expect(await run({ operation: 'edit', issueNumber: 5, editFields })).toEqual([{ title: 'Fixed', state_event: 'close' }]);
  expect(await run({ operation: 'lock', issueNumber: 5 })).toEqual([{ discussion_locked: true }]);
  expect(await run({ operation: 'createComment', issueNumber: 5, body: 'Done' })).toEqual([{ id: 7 }]);
});

test('the issues of a project are read to the end', async () => {
  const getRepositoryIssuesFilters = { state: 'opened', creator: 'ada' };
  expect(await run({ resource: 'repository', returnAll: true, getRepositoryIssuesFilters })).toEqual([{ iid: 1 }, { iid: 2 }]);
  expect(await run({ resource: 'repository', limit: 1 })).toEqual([{ iid: 1 }]);
  expect(sent()).toEqual([
    'GET /issues?state=opened&author_username=ada&per_page=100',
    'GET /issues?page=2',
    'GET /issues?per_page=1',
  ]);
});

test('a project and the projects of a user', async () => {
  expect(await run({ resource: 'repository', operation: 'get' })).toEqual([{ id: 5, path_with_namespace: 'acme/backups' }]);
  expect(await run({ resource: 'user' })).toEqual([{ id: 5 }]);
});

test('an error includes the problems of each field; a failed item does not affect the others', async () => {
  server.on('POST /api/v4/projects/:project/issues', ({ count }) =>
    count === 1 ? { status: 400, json: { message: { title: ["can't be blank"] } } } : { json: { iid: 1 } },
  );
  expect(await run({ title: 'x' }, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: `GitLab: {"title":["can't be blank"]} (400)` },
    { iid: 1 },
  ]);
});

test.each<JsonObject>([
  {},
  { operation: 'get' },
  { resource: 'file', operation: 'get' },
  { resource: 'repository', owner: '' },
])('%j is refused before a request', async (parameters) => {
  await expect(run(parameters)).rejects.toThrow(/is required/);
  expect(server.received).toEqual([]);
});
