import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue, MethodContext } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { example } from './mattermost.example.ts';
import { mattermost } from './mattermost.ts';
import { mattermostServer } from './testing/mattermost-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await mattermostServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { mattermostApi: { accessToken: 'token1', baseUrl: 'https://chat.example/' } };
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(mattermost, { parameters, http: server.http, credentials, ...more });
const sent = () =>
  server.received.map(({ method, url, body }): [string, JsonValue] => [
    `${method} ${decodeURIComponent(url.replace('/api/v4', ''))}`,
    body.length > 0 ? JSON.parse(body.toString()) : null,
  ]);
const ok = { status: 'OK' };
const channel = { id: 'c1', display_name: 'Town', name: 'town', type: 'O' };
const inChannel = { resource: 'channel', channelId: 'c1' };
const ofUser = { resource: 'user' };
const reaction = { resource: 'reaction', userId: 'u1', postId: 'p1', emojiName: ':ok:' };

test('the example', async () => {
  expect(await run({ ...example.parameters, message: 'Hello' })).toEqual(example.outputs?.[0]);
  const attachments = [{ title: 'Report', color: '#00aa00', fields: [{ title: 'Sum', value: '5', short: true }] }];
  expect(sent()).toEqual([['POST /posts', { channel_id: 'c1', message: 'Hello', props: { attachments } }]]);
});

test.each<[JsonObject, [string, JsonValue][], JsonObject[]]>([
  [
    { ...inChannel, operation: 'addUser', userId: 'u1' },
    [['POST /channels/c1/members', { user_id: 'u1' }]],
    [{ channel_id: 'c1', user_id: 'u1' }],
  ],
  [
    { resource: 'channel', teamId: 't1', displayName: 'Town', channel: 'town', type: 'private' },
    [['POST /channels', { team_id: 't1', display_name: 'Town', name: 'town', type: 'P' }]],
    [channel],
  ],
  [{ ...inChannel, operation: 'delete' }, [['DELETE /channels/c1', null]], [ok]],
  [
    { ...inChannel, operation: 'members', limit: 10 },
    [
      ['GET /channels/c1/members?page=0&per_page=10', null],
      ['POST /users/ids', ['u1']],
    ],
    [{ id: 'u1', username: 'ada' }],
  ],
  [
    { ...inChannel, operation: 'members', resolveData: false },
    [['GET /channels/c1/members?page=0&per_page=100', null]],
    [{ channel_id: 'c1', user_id: 'u1' }],
  ],
  [{ ...inChannel, operation: 'restore' }, [['POST /channels/c1/restore', null]], [channel]],
  [
    { resource: 'channel', operation: 'search', teamId: 't1', term: 'to', limit: 1 },
    [['POST /teams/t1/channels/search', { term: 'to' }]],
    [channel],
  ],
  [{ ...inChannel, operation: 'statistics' }, [['GET /channels/c1/stats', null]], [{ channel_id: 'c1', member_count: 3 }]],
  [{ operation: 'delete', postId: 'p1' }, [['DELETE /posts/p1', null]], [ok]],
  [
    {
      channelId: 'c1',
      message: 'Hi',
      attachments: [
        {
          text: 'Sure?',
          footer: '',
          actions: {
            item: [
              {
                type: 'button',
                name: 'Yes',
                integration: { item: { url: 'https://x.example', context: { property: [{ name: 'a', value: 'b' }] } } },
              },
              { type: 'select', name: 'Who', options: { option: [{ text: 'A', value: '1' }] } },
            ],
          },
        },
      ],
      otherOptions: { make_comment: 'p0', props: '{"from_bot": "true"}' },
    },
    [
      [
        'POST /posts',
        {
          channel_id: 'c1',
          message: 'Hi',
          root_id: 'p0',
          props: {
            from_bot: 'true',
            attachments: [
              {
                text: 'Sure?',
                actions: [
                  { type: 'button', name: 'Yes', integration: { url: 'https://x.example', context: { a: 'b' } } },
                  { type: 'select', name: 'Who', options: [{ text: 'A', value: '1' }] },
                ],
              },
            ],
          },
        },
      ],
    ],
    [{ id: 'p1', channel_id: 'c1', message: 'Hi' }],
  ],
  [
    { channelId: 'c1', message: 'Hi', otherOptions: { includeLinkToWorkflow: true } },
    [['POST /posts', { channel_id: 'c1', message: 'Hi\n\nSent by the workflow Workflow' }]],
    [{ id: 'p1', channel_id: 'c1', message: 'Hi\n\nSent by the workflow Workflow' }],
  ],
  [
    { operation: 'postEphemeral', userId: 'u1', channelId: 'c1', message: 'Hi' },
    [['POST /posts/ephemeral', { user_id: 'u1', post: { channel_id: 'c1', message: 'Hi' } }]],
    [{ id: 'p2' }],
  ],
  [reaction, [['POST /reactions', { user_id: 'u1', post_id: 'p1', emoji_name: 'ok' }]], [{ emoji_name: 'ok' }]],
  [{ ...reaction, operation: 'delete' }, [['DELETE /users/u1/posts/p1/reactions/ok', null]], [ok]],
  [{ ...reaction, operation: 'getAll', limit: 1 }, [['GET /posts/p1/reactions', null]], [{ emoji_name: 'ok' }]],
  [
    {
      ...ofUser,
      username: 'bob',
      email: 'b@c.example',
      password: 's3cret',
      additionalFields: { first_name: 'Bob', notificationUi: { notificationValues: { desktop: 'all', email: true } } },
    },
    [
      [
        'POST /users',
        {
          username: 'bob',
          email: 'b@c.example',
          password: 's3cret',
          first_name: 'Bob',
          notify_props: { desktop: 'all', email: 'true' },
        },
      ],
    ],
    [{ id: 'u2' }],
  ],
  [
    { ...ofUser, username: 'bob', authService: 'ldap', authData: 'x' },
    [['POST /users', { username: 'bob', auth_service: 'ldap', auth_data: 'x' }]],
    [{ id: 'u2' }],
  ],
  [{ ...ofUser, operation: 'deactive', userId: 'u1' }, [['DELETE /users/u1', null]], [ok]],
  [
    { ...ofUser, operation: 'getAll', limit: 5, additionalFields: { inTeam: 't1', notInChannel: 'c1', sort: 'created_at' } },
    [['GET /users?in_team=t1&not_in_channel=c1&sort=created_at&page=0&per_page=5', null]],
    [{ id: 'u1', username: 'ada' }],
  ],
  [{ ...ofUser, operation: 'getByEmail', email: 'a@b.example' }, [['GET /users/email/a@b.example', null]], [{ id: 'u1' }]],
  [
    { ...ofUser, operation: 'getById', userIds: 'u1, u2', additionalFields: { since: '1970-01-01T00:00:01Z' } },
    [['POST /users/ids?since=1000', ['u1', 'u2']]],
    [{ id: 'u1', username: 'ada' }],
  ],
  [
    { ...ofUser, operation: 'invite', teamId: 't1', emails: 'a@b.example,c@d.example' },
    [['POST /teams/t1/invite/email', ['a@b.example', 'c@d.example']]],
    [ok],
  ],
])('%j sends %j', async (parameters, requests, produced) => {
  expect(await run(parameters)).toEqual(produced);
  expect(sent()).toEqual(requests);
});

test('a list is read to the last page, which is not full', async () => {
  server.on('GET /api/v4/users', ({ query }) => ({
    json: Array.from({ length: query['page'] === '1' ? 3 : 200 }, (_, id) => ({ id: `${query['page']}-${id}` })),
  }));
  expect(await run({ ...ofUser, operation: 'getAll', returnAll: true })).toHaveLength(203);
  expect(sent().map(([request]) => request)).toEqual(['GET /users?page=0&per_page=200', 'GET /users?page=1&per_page=200']);
});

const refusal = {
  status: 403,
  json: { id: 'api.context.permissions.app_error', message: 'You do not have the appropriate permissions.', status_code: 403 },
};

test('an error includes text and code, and the node may continue', async () => {
  server.on('DELETE /api/v4/posts/:id', ({ count }) => (count === 1 ? refusal : { json: ok }));
  expect(await run({ operation: 'delete', postId: 'p1' }, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'Mattermost: You do not have the appropriate permissions. (api.context.permissions.app_error)' },
    ok,
  ]);
});

test.each([
  ['retry-after', '0'],
  ['x-ratelimit-reset', '0'],
])('a rate limit is waited for, by the header %s', async (name, value) => {
  server.on('DELETE /api/v4/posts/:id', ({ count }) =>
    count === 1 ? { status: 429, headers: { [name]: value }, text: 'limit exceeded' } : { json: ok },
  );
  expect(await run({ operation: 'delete', postId: 'p1' })).toEqual([ok]);
});

test.each<[JsonObject, string]>([
  [{ channelId: 'c1', message: '' }, 'the message has neither text nor attachments'],
  [{ message: 'x' }, 'the parameter "channelId" is required'],
  [{ channelId: 'c1', message: 'x', otherOptions: { props: '[]' } }, 'the option "Props" is not a JSON object'],
  [{ ...ofUser, operation: 'invite', teamId: 't1', emails: ' , ' }, 'the parameter "emails" is required'],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('editors list channels, teams, and users', async () => {
  const context: MethodContext = webhookContext({ http: server.http, credentials, parameters: { teamId: 't1' } });
  const { loadOptions = {} } = mattermost.methods ?? {};
  expect(await loadOptions['getChannels']?.(context)).toEqual([{ name: 'Town (public)', value: 'c1' }]);
  expect(await loadOptions['getChannelsInTeam']?.(context)).toEqual([{ name: 'Town (private)', value: 'c1' }]);
  expect(await loadOptions['getTeams']?.(context)).toEqual([{ name: 'Team', value: 't1' }]);
  expect(await loadOptions['getUsers']?.(context)).toEqual([{ name: 'ada', value: 'u1' }]);
});
