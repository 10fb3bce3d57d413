import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { checkParameters, type JsonObject, type JsonValue, type MethodContext } from '@sluice/node-sdk';
import { type FakeRun, memoryBinary, runForJson, runNode } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { example } from './github.example.ts';
import { github } from './github.ts';
import { githubServer, readme } from './testing/github-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await githubServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { githubApi: { accessToken: 'ghp1' } };
const inApp = { owner: { __rl: true, mode: 'name', value: 'acme' }, repository: 'app' };
const runOf = (parameters: JsonObject, more: FakeRun = {}): FakeRun => ({
  parameters: { ...inApp, ...parameters },
  http: server.http,
  credentials,
  ...more,
});
const run = (parameters: JsonObject, more: FakeRun = {}) => runForJson(github, runOf(parameters, more));
const sent = () =>
  server.received.map(({ method, url, body }): JsonValue[] => [
    `${method} ${url}`,
    body.length > 0 ? JSON.parse(body.toString()) : null,
  ]);
const app = '/repos/acme/app';

test('the example', async () => {
  expect(await run({ ...example.parameters, title: 'Broken', body: 'It does not start' })).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual([
    [`POST ${app}/issues`, { title: 'Broken', body: 'It does not start', labels: ['bug'], assignees: [] }],
  ]);
});

const file = { resource: 'file', filePath: 'README.md' };
const pull = { resource: 'review', pullRequestNumber: 3 };
const flow = { resource: 'workflow', workflowId: 'main.yml' };
test.each<[JsonObject, string, JsonValue]>([
  [
    { ...file, fileContent: 'Hi ä', commitMessage: 'Add' },
    `PUT ${app}/contents/README.md`,
    { message: 'Add', content: Buffer.from('Hi ä').toString('base64') },
  ],
  [{ ...file, operation: 'list', filePath: '' }, `GET ${app}/contents/`, null],
  [
    { ...file, operation: 'get', asBinaryProperty: false, filePath: '/a b/c.txt', additionalParameters: { reference: 'dev' } },
    `GET ${app}/contents/a%20b/c.txt?ref=dev`,
    null,
  ],
  [{ operation: 'get', issueNumber: 5 }, `GET ${app}/issues/5`, null],
  [{ operation: 'createComment', issueNumber: '5', body: 'Hi' }, `POST ${app}/issues/5/comments`, { body: 'Hi' }],
  [
    {
      operation: 'edit',
      issueNumber: 5,
      editFields: { title: 'T', state: 'closed', labels: [{ label: 'a' }], assignees: [{ assignee: 'ann' }] },
    },
    `PATCH ${app}/issues/5`,
    { title: 'T', state: 'closed', labels: ['a'], assignees: ['ann'] },
  ],
  [{ operation: 'lock', issueNumber: 5, lockReason: 'spam' }, `PUT ${app}/issues/5/lock`, { lock_reason: 'spam' }],
  [{ resource: 'organization' }, 'GET /orgs/acme/repos?per_page=50', null],
  [{ resource: 'user', owner: 'https://github.com/ann' }, 'GET /users/https%3A%2F%2Fgithub.com%2Fann/repos?per_page=50', null],
  [
    { resource: 'user', owner: { __rl: true, mode: 'url', value: 'https://github.com/ann' } },
    'GET /users/ann/repos?per_page=50',
    null,
  ],
  [
    { resource: 'user', operation: 'getUserIssues', limit: 5, getUserIssuesFilters: { state: 'all' } },
    'GET /issues?state=all&per_page=5',
    null,
  ],
  [
    { resource: 'user', operation: 'invite', organization: 'acme', email: 'a@a.test' },
    'POST /orgs/acme/invitations',
    { email: 'a@a.test' },
  ],
  [
    { resource: 'release', releaseTag: 'v1', additionalFields: { name: 'One', draft: false } },
    `POST ${app}/releases`,
    { tag_name: 'v1', name: 'One', draft: false },
  ],
  [{ resource: 'release', operation: 'get', release_id: 9 }, `GET ${app}/releases/9`, null],
  [{ resource: 'release', operation: 'getAll', returnAll: true }, `GET ${app}/releases?per_page=100`, null],
  [
    { resource: 'release', operation: 'update', release_id: '9', additionalFields: { body: 'x' } },
    `PATCH ${app}/releases/9`,
    { body: 'x' },
  ],
  [{ resource: 'release', operation: 'delete', release_id: '9' }, `DELETE ${app}/releases/9`, null],
  [{ resource: 'repository', operation: 'get' }, `GET ${app}`, null],
  [
    { resource: 'repository', getRepositoryIssuesFilters: { state: 'all', labels: 'a,b' } },
    `GET ${app}/issues?state=all&labels=a%2Cb&per_page=50`,
    null,
  ],
  [{ resource: 'repository', operation: 'getLicense' }, `GET ${app}/license`, null],
  [{ resource: 'repository', operation: 'getProfile' }, `GET ${app}/community/profile`, null],
  [
    { resource: 'repository', operation: 'getPullRequests', getRepositoryPullRequestsFilters: { state: 'open' } },
    `GET ${app}/pulls?state=open&per_page=50`,
    null,
  ],
  [{ resource: 'repository', operation: 'listPopularPaths' }, `GET ${app}/traffic/popular/paths`, null],
  [{ resource: 'repository', operation: 'listReferrers' }, `GET ${app}/traffic/popular/referrers`, null],
  [{ ...pull, event: 'requestChanges', body: 'No' }, `POST ${app}/pulls/3/reviews`, { event: 'REQUEST_CHANGES', body: 'No' }],
  [{ ...pull, event: 'pending', additionalFields: { commitId: 'c1' } }, `POST ${app}/pulls/3/reviews`, { commit_id: 'c1' }],
  [{ ...pull, operation: 'get', reviewId: '4' }, `GET ${app}/pulls/3/reviews/4`, null],
  [{ ...pull, operation: 'getAll' }, `GET ${app}/pulls/3/reviews?per_page=50`, null],
  [{ ...pull, operation: 'update', reviewId: 4, body: 'x' }, `PUT ${app}/pulls/3/reviews/4`, { body: 'x' }],
  [
    { ...flow, ref: { __rl: true, mode: 'name', value: 'dev' }, inputs: '{"a":"b"}' },
    `POST ${app}/actions/workflows/main.yml/dispatches`,
    { ref: 'dev', inputs: { a: 'b' } },
  ],
  [{ ...flow, operation: 'enable' }, `PUT ${app}/actions/workflows/main.yml/enable`, null],
  [{ ...flow, operation: 'disable' }, `PUT ${app}/actions/workflows/main.yml/disable`, null],
  [{ ...flow, operation: 'get' }, `GET ${app}/actions/workflows/main.yml`, null],
  [{ ...flow, operation: 'getUsage' }, `GET ${app}/actions/workflows/main.yml/timing`, null],
  [{ ...flow, operation: 'list', limit: 2 }, `GET ${app}/actions/workflows?per_page=2`, null],
])('%j sends %s', async (parameters, request, body) => {
  await run({ operation: '', ...parameters, ...('operation' in parameters ? {} : { operation: initial(parameters) }) });
  expect(sent()).toEqual([[request, body]]);
});

/** The operation that editors omit. */
function initial({ resource = 'issue' }: JsonObject): string {
  const property = github.description.properties.find(
    ({ name, displayOptions }) => name === 'operation' && displayOptions?.show?.['resource']?.includes(resource),
  );
  return String(property?.default);
}

describe('a file', () => {
  test('is changed at its latest version, on a branch', async () => {
    const additionalParameters = { branch: { branch: 'dev' }, author: { name: 'Ann', email: 'a@a.test' } };
    const edit = { ...file, operation: 'edit', fileContent: 'x', commitMessage: 'Edit', additionalParameters };
    expect(checkParameters(github, { ...inApp, ...edit }, 1.1)).toEqual([]);
    await run(edit);
    await run({ ...file, operation: 'delete', commitMessage: 'Drop', additionalParameters: { branch: { branch: 'dev' } } });
    expect(sent()).toEqual([
      [`GET ${app}/contents/README.md?ref=dev`, null],
      [
        `PUT ${app}/contents/README.md`,
        { message: 'Edit', author: { name: 'Ann', email: 'a@a.test' }, branch: 'dev', content: 'eA==', sha: 'sha1' },
      ],
      [`GET ${app}/contents/README.md?ref=dev`, null],
      [`DELETE ${app}/contents/README.md`, { message: 'Drop', branch: 'dev', sha: 'sha1' }],
    ]);
  });

  test('of an item is written', async () => {
    const binary = memoryBinary();
    const data = await binary.store(Buffer.from([0, 255]), { fileName: 'a.bin' });
    const parameters = { ...file, operation: 'create', binaryData: true, binaryPropertyName: 'data', commitMessage: 'Add' };
    await run(parameters, { binary, inputs: [[{ json: {}, binary: { data } }]] });
    expect(sent()[0]?.[1]).toEqual({ message: 'Add', content: 'AP8=' });
  });

  test('is read as a file', async () => {
    const binary = memoryBinary();
    const [items] = await runNode(github, runOf({ ...file, operation: 'get' }, { binary }));
    const { content: _, encoding: __, ...json } = readme;
    expect(items?.[0]).toMatchObject({ json, binary: { data: { fileName: 'README.md', mimeType: 'text/markdown' } } });
  });

  test.each<[JsonObject, string]>([
    [{ ...file, operation: 'get', filePath: 'a/../../b' }, 'the path leads out of the repository'],
    [{ ...file, operation: 'get', filePath: 'a'.repeat(4_097) }, 'the path has more than 4096 characters'],
    [{ operation: 'get', issueNumber: 0 }, 'the parameter "issueNumber" is required'],
  ])('%j is refused before a request', async (parameters, message) => {
    await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
    expect(server.received).toEqual([]);
  });

  test('is not a folder', async () => {
    server.on('GET /repos/:owner/:repo/contents/:path', () => ({ json: [readme] }));
    await expect(run({ ...file, operation: 'get' })).rejects.toThrow('the path is a folder');
  });
});

test('lists are read to their end, or to the limit', async () => {
  server.on('GET /repos/:owner/:repo/releases', ({ query }) =>
    query['page'] === '2'
      ? { json: [{ id: 3 }], headers: { link: '<https://api.github.com/x?page=1>; rel="prev"' } }
      : {
          json: [{ id: 1 }, { id: 2 }],
          headers: {
            link: '<https://api.github.com/repos/acme/app/releases?per_page=100&page=2>; rel="next", <https://api.github.com/x>; rel="last"',
          },
        },
  );
  const all = { resource: 'release', operation: 'getAll', returnAll: true };
  expect(await run(all)).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  expect(await run({ ...all, returnAll: false, limit: 2 })).toHaveLength(2);
  expect(server.received).toHaveLength(3);
});

test('an error includes the text and details from GitHub', async () => {
  server.on('POST /repos/:owner/:repo/issues', () => ({
    status: 422,
    json: { message: 'Validation Failed', errors: [{ resource: 'Issue', field: 'title', code: 'missing_field' }] },
  }));
  await expect(run({ operation: 'create', title: 'x' })).rejects.toMatchObject({
    message: 'GitHub: Validation Failed: title is missing_field (422)',
    details: { status: 422 },
  });
});

test('only the failed item has an error if the node continues', async () => {
  server.on('GET /repos/:owner/:repo/issues/:number', ({ count }) =>
    count === 1 ? { status: 404, json: { message: 'Not Found' } } : { json: { id: 1 } },
  );
  const output = await run({ operation: 'get', issueNumber: 5 }, { json: [{}, {}], continueOnFail: true });
  expect(output).toEqual([{ error: 'GitHub: Not Found (404)' }, { id: 1 }]);
});

test.each([
  [403, { 'retry-after': '0' }],
  [429, { 'retry-after': '0' }],
])('a rate limit with status %d is waited for', async (status, headers) => {
  server.on('GET /repos/:owner/:repo', ({ count }) =>
    count === 1 ? { status, headers, json: { message: 'You have exceeded a secondary rate limit' } } : { json: { id: 1 } },
  );
  expect(await run({ resource: 'repository', operation: 'get' })).toEqual([{ id: 1 }]);
});

test('an exhausted quota fails with its reset time', async () => {
  const reset = String(Math.ceil(Date.now() / 1_000) + 3_000);
  server.on('GET /repos/:owner/:repo', () => ({
    status: 403,
    headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset },
    json: { message: 'API rate limit exceeded' },
  }));
  await expect(run({ resource: 'repository', operation: 'get' })).rejects.toMatchObject({
    description: expect.stringMatching(/accepts requests again in \d+ seconds/),
  });
  expect(server.received).toHaveLength(1);
});

test('repositories can be chosen', async () => {
  const context: MethodContext = webhookContext({ http: server.http, credentials, parameters: inApp });
  expect(await github.methods?.listSearch?.['getRepositories']?.(context, 'SI')).toEqual({
    results: [{ name: 'site', value: 'site' }],
  });
});
