import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue, MethodContext } from '@sluice/node-sdk';
import { type FakeRun, memoryBinary, runForJson, runNode } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { example } from './jira.example.ts';
import { jira } from './jira.ts';
import { jiraServer, site } from './testing/jira-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await jiraServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = {
  jiraSoftwareCloudApi: site,
  jiraSoftwareServerPatApi: { personalAccessToken: 'pat1', domain: site.domain },
};
const runOf = (parameters: JsonObject, more: FakeRun = {}): FakeRun => ({
  parameters,
  http: server.http,
  credentials,
  ...more,
});
const run = (parameters: JsonObject, more: FakeRun = {}) => runForJson(jira, runOf(parameters, more));
const sent = () =>
  server.received.map(({ method, url, body, headers }): JsonValue[] => [
    `${method} ${url.replace('/rest/api', '')}`,
    String(headers['content-type'] ?? '').startsWith('application/json') ? JSON.parse(body.toString()) : null,
  ]);
const located = (value: string) => ({ __rl: true, mode: 'id', value });

test('the example', async () => {
  const parameters = {
    ...example.parameters,
    summary: 'Broken',
    additionalFields: { description: 'x', labels: ['automated'] },
  };
  expect(await run(parameters)).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual([
    [
      'POST /2/issue',
      {
        fields: {
          project: { id: '10000' },
          issuetype: { id: '10002' },
          summary: 'Broken',
          description: 'x',
          labels: ['automated'],
        },
      },
    ],
  ]);
});

const comment = { resource: 'issueComment', issueKey: 'APP-5' };
const doc = (...lines: string[]) => ({
  type: 'doc',
  version: 1,
  content: lines.map((line) => ({ type: 'paragraph', content: line === '' ? [] : [{ type: 'text', text: line }] })),
});
test.each<[JsonObject, string, JsonValue]>([
  [
    {
      operation: 'create',
      project: { mode: 'id', value: 'APP' },
      issueType: 'Task',
      summary: 'S',
      additionalFields: {
        assignee: located('u1'),
        reporter: 'u2',
        priority: { mode: 'list', value: '2' },
        labels: 'a, b',
        parentIssueKey: 'app-1',
        componentIds: ['7'],
        updateHistory: true,
        customFieldsUi: {
          customFieldsValues: [
            { fieldId: located('customfield_1'), fieldValue: 5 },
            { fieldId: 'customfield_2', fieldValue: '{"value":"High"}' },
          ],
        },
      },
    },
    'POST /2/issue?updateHistory=true',
    {
      fields: {
        project: { key: 'APP' },
        issuetype: { name: 'Task' },
        summary: 'S',
        assignee: { id: 'u1' },
        reporter: { id: 'u2' },
        priority: { id: '2' },
        parent: { key: 'APP-1' },
        labels: ['a', 'b'],
        components: [{ id: '7' }],
        customfield_1: 5,
        customfield_2: { value: 'High' },
      },
    },
  ],
  [{ operation: 'get', issueKey: 'APP-5', additionalFields: { fields: 'summary' } }, 'GET /2/issue/APP-5?fields=summary', null],
  [{ operation: 'delete', issueKey: 'APP-5', deleteSubtasks: true }, 'DELETE /2/issue/APP-5?deleteSubtasks=true', null],
  [{ operation: 'changelog', issueKey: 'APP-5' }, 'GET /2/issue/APP-5/changelog?maxResults=50', null],
  [
    { operation: 'getAll', limit: 5, options: { jql: 'project = APP', fields: 'summary, status', expand: 'changelog' } },
    'POST /2/search/jql',
    { jql: 'project = APP', maxResults: 5, fields: ['summary', 'status'], expand: 'changelog' },
  ],
  [
    { operation: 'getAll', returnAll: true },
    'POST /2/search/jql',
    { jql: 'created >= "1970-01-01" order by created desc', maxResults: 100, fields: ['*navigable'] },
  ],
  [
    { operation: 'getAll', jiraVersion: 'serverPat', options: { jql: 'a = 1', expand: 'changelog' } },
    'POST /2/search',
    { jql: 'a = 1', maxResults: 50, fields: ['*navigable'], expand: ['changelog'] },
  ],
  [
    {
      operation: 'notify',
      issueKey: 'APP-5',
      additionalFields: { subject: 'S' },
      notificationRecipientsUi: { notificationRecipientsValues: { reporter: true, users: ['u1'], groups: ['g'] } },
    },
    'POST /2/issue/APP-5/notify',
    { subject: 'S', to: { reporter: true, users: [{ accountId: 'u1' }], groups: [{ name: 'g' }] } },
  ],
  [{ operation: 'transitions', issueKey: 'APP-5' }, 'GET /2/issue/APP-5/transitions', null],
  [
    { operation: 'update', issueKey: 'APP-5', updateFields: { summary: 'T' } },
    'PUT /2/issue/APP-5',
    { fields: { summary: 'T' } },
  ],
  [
    { operation: 'update', issueKey: 'APP-5', updateFields: { statusId: located('31') } },
    'POST /2/issue/APP-5/transitions',
    { transition: { id: '31' } },
  ],
  [{ ...comment, comment: 'Hi\n\nAnn' }, 'POST /3/issue/APP-5/comment', { body: doc('Hi', '', 'Ann') }],
  [{ ...comment, comment: '*Hi*', options: { wikiMarkup: true } }, 'POST /2/issue/APP-5/comment', { body: '*Hi*' }],
  [{ ...comment, comment: 'Hi', jiraVersion: 'serverPat' }, 'POST /2/issue/APP-5/comment', { body: 'Hi' }],
  [
    { ...comment, jsonParameters: true, commentJson: JSON.stringify(doc('x')) },
    'POST /3/issue/APP-5/comment',
    { body: doc('x') },
  ],
  [{ ...comment, operation: 'get', commentId: '3' }, 'GET /3/issue/APP-5/comment/3', null],
  [{ ...comment, operation: 'getAll' }, 'GET /3/issue/APP-5/comment?maxResults=50', null],
  [{ ...comment, operation: 'remove', commentId: '3' }, 'DELETE /2/issue/APP-5/comment/3', null],
  [{ ...comment, operation: 'update', commentId: '3', comment: 'x' }, 'PUT /3/issue/APP-5/comment/3', { body: doc('x') }],
  [{ resource: 'issueAttachment', operation: 'get', attachmentId: '9' }, 'GET /2/attachment/9', null],
  [{ resource: 'issueAttachment', operation: 'getAll', issueKey: 'APP-5' }, 'GET /2/issue/APP-5?fields=attachment', null],
  [{ resource: 'issueAttachment', operation: 'remove', attachmentId: '9' }, 'DELETE /2/attachment/9', null],
  [
    { resource: 'user', username: 'bob', emailAddress: 'b@b.test', displayName: 'Bob' },
    'POST /2/user',
    { name: 'bob', emailAddress: 'b@b.test', displayName: 'Bob', products: [] },
  ],
  [{ resource: 'user', operation: 'get', accountId: 'u1' }, 'GET /2/user?accountId=u1', null],
  [{ resource: 'user', operation: 'delete', accountId: 'u1', jiraVersion: 'serverPat' }, 'DELETE /2/user?key=u1', null],
])('%j sends %s', async (parameters, request, body) => {
  expect(await run(parameters)).toHaveLength(1);
  expect(sent()).toEqual([[request, body]]);
});

test('fields have their names in a simplified issue', async () => {
  const [item] = await run({ operation: 'get', issueKey: 'APP-5', simplifyOutput: true });
  expect(item).toMatchObject({ key: 'APP-5', fields: { Summary: 'Broken', Points: 5 } });
  expect(sent()[0]?.[0]).toBe('GET /2/issue/APP-5?expand=names');
});

test('changes of a server issue are in the issue', async () => {
  expect(await run({ operation: 'changelog', issueKey: 'APP-5', jiraVersion: 'serverPat' })).toEqual([{ id: '7' }]);
});

test('lists are read to their end, or to the limit', async () => {
  server.on('POST /rest/api/2/search/jql', ({ body }) => ({
    json:
      (body as JsonObject)['nextPageToken'] === 'p2'
        ? { issues: [{ id: '2' }], isLast: true }
        : { issues: [{ id: '1' }], nextPageToken: 'p2' },
  }));
  expect(await run({ operation: 'getAll', returnAll: true })).toEqual([{ id: '1' }, { id: '2' }]);
  expect(await run({ operation: 'getAll', limit: 1 })).toEqual([{ id: '1' }]);
  server.on('GET /rest/api/3/issue/:key/comment', ({ query }) => ({
    json: { comments: [{ id: query['startAt'] ?? '0' }], total: 2 },
  }));
  expect(await run({ ...comment, operation: 'getAll', returnAll: true })).toEqual([{ id: '0' }, { id: '1' }]);
});

test('files are attached, and downloaded', async () => {
  const binary = memoryBinary();
  const data = await binary.store(Buffer.from('Hi'), { fileName: 'a.txt', mimeType: 'text/plain' });
  const inputs = [[{ json: {}, binary: { data } }]];
  await run({ resource: 'issueAttachment', issueKey: 'APP-5' }, { binary, inputs });
  expect(server.received[0]?.body.toString()).toContain('filename="a.txt"');
  const parameters = { resource: 'issueAttachment', operation: 'getAll', issueKey: 'APP-5', download: true };
  const [items] = await runNode(jira, runOf(parameters, { binary }));
  expect(items?.[0]).toMatchObject({ json: { id: '9' }, binary: { data: { fileName: 'a.txt', mimeType: 'text/plain' } } });
});

test('a comment that is too long for Jira is rejected before a request', async () => {
  await expect(run({ ...comment, operation: 'add', comment: 'x\n'.repeat(16_384) })).rejects.toThrow(
    'more than 32767 characters',
  );
  expect(server.received).toEqual([]);
});

test('an error includes the messages from Jira', async () => {
  server.on('POST /rest/api/2/issue', () => ({
    status: 400,
    json: { errorMessages: [], errors: { priority: 'Priority is not valid' } },
  }));
  await expect(run({ ...example.parameters, operation: 'create' })).rejects.toMatchObject({
    message: 'Jira: priority: Priority is not valid (400)',
    description: 'Check the parameters: the service did not accept a value',
  });
});

test('only the failed item has an error if the node continues', async () => {
  server.on('GET /rest/api/2/issue/:key', ({ count }) =>
    count === 1 ? { status: 404, json: { errorMessages: ['Issue does not exist'], errors: {} } } : { json: { id: '1' } },
  );
  const output = await run({ operation: 'get', issueKey: 'A-1' }, { json: [{}, {}], continueOnFail: true });
  expect(output).toEqual([{ error: 'Jira: Issue does not exist (404)' }, { id: '1' }]);
});

test('a rate-limited request is retried', async () => {
  server.on('GET /rest/api/2/issue/:key', ({ count }) =>
    count === 1 ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : { json: { id: '1' } },
  );
  expect(await run({ operation: 'get', issueKey: 'A-1' })).toEqual([{ id: '1' }]);
});

test.each<[string, JsonObject, string, JsonValue]>([
  ['getProjects', {}, 'ap', [{ name: 'App', value: '10000' }]],
  ['getIssueTypes', { project: located('10000') }, '', [{ name: 'Task', value: '10002' }]],
  ['getUsers', {}, 'an', [{ name: 'Ann', value: 'u1' }]],
  ['getPriorities', {}, '', [{ name: 'High', value: '2' }]],
  ['getTransitions', { issueKey: 'APP-5' }, '', [{ name: 'Done', value: '31' }]],
  ['getCustomFields', {}, '', [{ name: 'Points', value: 'customfield_1' }]],
])('editors choose by name: %s', async (method, parameters, filter, results) => {
  const context: MethodContext = webhookContext({ http: server.http, credentials, parameters });
  expect(await jira.methods?.listSearch?.[method]?.(context, filter)).toEqual({ results });
});
