import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject, MethodContext } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { example } from './linear.example.ts';
import { linear } from './linear.ts';
import { linearServer, nameOf } from './testing/linear-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await linearServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { linearApi: { apiKey: 'lin_1' }, linearOAuth2Api: { oauthTokenData: { access_token: 'tok' } } };
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(linear, { parameters, http: server.http, credentials, ...more });
const sent = () =>
  server.received.map(({ body }) => {
    const { query, variables } = JSON.parse(body.toString());
    return [nameOf(query), variables];
  });

test('the example, with OAuth2 and in version 1 as well', async () => {
  expect(await run(example.parameters)).toEqual(example.outputs?.[0]);
  expect(await run({ ...example.parameters, authentication: 'oAuth2' }, { typeVersion: 1 })).toEqual(example.outputs?.[0]);
  expect(server.received.map(({ headers }) => headers.authorization)).toEqual(['lin_1', 'Bearer tok']);
});

test('the braces in queries match', async () => {
  await run({ operation: 'get', issueId: 'i1' });
  await run({ operation: 'getAll', limit: 1 });
  await run(example.parameters);
  for (const { body } of server.received) {
    const { query } = JSON.parse(body.toString());
    expect(query.split('{').length).toBe(query.split('}').length);
  }
});

test.each<[JsonObject, string, JsonObject, JsonObject]>([
  [{ operation: 'get', issueId: 'ENG-1' }, 'issue', { id: 'ENG-1' }, { id: 'ENG-1', identifier: 'ENG-1' }],
  [
    { operation: 'update', issueId: 'i2', updateFields: { teamId: 't2', priorityId: '0', stateId: '' } },
    'issueUpdate',
    { id: 'i2', input: { teamId: 't2', priority: 0 } },
    { id: 'i2', identifier: 'ENG-1', teamId: 't2', priority: 0 },
  ],
  [{ operation: 'delete', issueId: 'i2' }, 'issueDelete', { id: 'i2' }, { success: true }],
  [
    { operation: 'addLink', issueId: 'i2', link: 'https://example.com/' },
    'attachmentLinkURL',
    { issueId: 'i2', url: 'https://example.com/' },
    { id: 'a1', url: 'https://example.com/' },
  ],
  [
    { resource: 'comment', issueId: 'i2', comment: 'Hi', additionalFields: { parentId: 'c0' } },
    'commentCreate',
    { input: { issueId: 'i2', body: 'Hi', parentId: 'c0' } },
    { id: 'c1', body: 'Hi' },
  ],
])('is one request: %j', async (parameters, name, variables, output) => {
  expect(await run(parameters)).toEqual([output]);
  expect(sent()).toEqual([[name, variables]]);
});

test('issues are read to their end, or to the limit', async () => {
  expect(await run({ operation: 'getAll', returnAll: true })).toEqual([{ id: 'i1' }, { id: 'i2' }]);
  expect(await run({ operation: 'getAll', limit: 1 })).toEqual([{ id: 'i1' }]);
  expect(sent()).toEqual([
    ['issues', { first: 50 }],
    ['issues', { first: 50, after: 'c1' }],
    ['issues', { first: 1 }],
  ]);
});

test.each<[JsonObject, string]>([
  [{ title: 'x' }, 'the parameter "teamId" is required'],
  [{ operation: 'get' }, 'the parameter "issueId" is required'],
  [{ operation: 'update', issueId: 'i1', updateFields: { priorityId: 'high' } }, 'the priority is not a number from 0 to 4'],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('an error includes the text and code from Linear, and a hint; a failed item does not affect the others', async () => {
  const errors = [
    {
      message: 'Entity not found',
      extensions: { code: 'INPUT_ERROR', userPresentableMessage: 'Could not find the issue' },
    },
  ];
  server.on('POST /graphql', ({ count }) => ({ json: count === 2 ? { data: { issue: { id: 'i1' } } } : { errors } }));
  const parameters = { operation: 'get', issueId: 'i1' };
  await expect(run(parameters)).rejects.toMatchObject({
    message: 'Linear: Could not find the issue (INPUT_ERROR)',
    description: expect.stringContaining('an ID does not exist'),
  });
  expect(await run(parameters, { json: [{}, {}], continueOnFail: true })).toEqual([
    { id: 'i1' },
    { error: 'Linear: Could not find the issue (INPUT_ERROR)' },
  ]);
});

test('a change that was not made is an error', async () => {
  server.on('POST /graphql', () => ({ json: { data: { issueCreate: { success: false } } } }));
  await expect(run(example.parameters)).rejects.toThrow('Linear did not make the change');
  server.on('POST /graphql', () => ({ json: { data: { issueDelete: { success: false } } } }));
  await expect(run({ operation: 'delete', issueId: 'i1' })).rejects.toThrow('Linear did not make the change');
});

test.each<[string, () => Record<string, string>]>([
  ['its header', () => ({ 'retry-after': '0' })],
  ['its reset time', () => ({ 'x-ratelimit-requests-reset': String(Date.now() + 20) })],
])('waits for a rate limit, by %s', async (_, headers) => {
  server.on('POST /graphql', ({ count }) =>
    count === 1
      ? {
          status: 400,
          headers: headers(),
          json: { errors: [{ message: 'Rate limit exceeded', extensions: { code: 'RATELIMITED' } }] },
        }
      : { json: { data: { issue: { id: 'i1' } } } },
  );
  expect(await run({ operation: 'get', issueId: 'i1' })).toEqual([{ id: 'i1' }]);
});

test.each<[string, JsonObject, JsonObject[]]>([
  [
    'getTeams',
    {},
    [
      { name: 'Engineering', value: 't1' },
      { name: 'Sales', value: 't2' },
    ],
  ],
  ['getUsers', {}, [{ name: 'Ada', value: 'u1' }]],
  ['getStates', { teamId: 't2' }, [{ name: 'Todo', value: 's2' }]],
  [
    'getStates',
    {},
    [
      { name: 'Todo (Engineering)', value: 's1' },
      { name: 'Todo (Sales)', value: 's2' },
    ],
  ],
])('an editor lists choices: %s of %j', async (method, parameters, expected) => {
  const context: MethodContext = webhookContext({ http: server.http, credentials, parameters });
  expect(await linear.methods?.loadOptions?.[method]?.(context)).toEqual(expected);
});
