import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue, MethodContext } from '@sluice/node-sdk';
import { type FakeRun, runForJson, runNode } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { streamedOnly } from '../../testing/streamed-only.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { example } from './slack.example.ts';
import { slack } from './slack.ts';
import { slackServer } from './testing/slack-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await slackServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { slackApi: { accessToken: 'xoxb-1' } };
const runOf = (parameters: JsonObject, more: FakeRun = {}): FakeRun => ({
  parameters,
  http: server.http,
  credentials,
  typeVersion: 2.4,
  ...more,
});
const sent = () =>
  server.received.map(({ url, body }): [string, JsonValue] => {
    const { pathname, searchParams } = new URL(url, server.origin);
    return [pathname.replace('/api/', ''), body.length > 0 ? JSON.parse(body.toString()) : Object.fromEntries(searchParams)];
  });

const room = { __rl: true, mode: 'name', value: 'general' };
const at = (mode: string, value: string) => ({ __rl: true, mode, value });
const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: '*Hi*' } }];
const post = { select: 'channel', channelId: room };

test.each<[JsonObject, string, JsonObject]>([
  [{ ...post, text: 'Hi' }, 'chat.postMessage', { channel: '#general', text: 'Hi' }],
  [
    { ...post, channelId: at('url', 'https://app.slack.com/client/T1/C0AB'), text: 'Hi' },
    'chat.postMessage',
    { channel: 'C0AB', text: 'Hi' },
  ],
  [{ select: 'user', user: at('username', 'ann'), text: 'Hi' }, 'chat.postMessage', { channel: '@ann', text: 'Hi' }],
  [
    { ...post, messageType: 'block', blocksUi: JSON.stringify({ blocks }), text: 'Hi' },
    'chat.postMessage',
    { channel: '#general', blocks, text: 'Hi' },
  ],
  [
    { ...post, messageType: 'block', blocksUi: { blocksValues: blocks }, text: 'Hi' },
    'chat.postMessage',
    { channel: '#general', blocks, text: 'Hi' },
  ],
  [{ ...post, messageType: 'block', blocksUi: blocks }, 'chat.postMessage', { channel: '#general', blocks }],
  [
    {
      ...post,
      messageType: 'attachment',
      attachments: [{ color: '#f00', fields: { item: [{ title: 'A', value: 'B', short: true }] } }],
    },
    'chat.postMessage',
    { channel: '#general', attachments: [{ color: '#f00', fields: [{ title: 'A', value: 'B', short: true }] }] },
  ],
  [
    {
      ...post,
      text: 'Hi',
      otherOptions: {
        thread_ts: { replyValues: { thread_ts: '1.2', reply_broadcast: true } },
        botProfile: { imageValues: { profilePhotoType: 'emoji', icon_emoji: ':tada:' } },
        sendAsUser: 'Bot',
        unfurl_links: false,
        includeLinkToWorkflow: true,
      },
    },
    'chat.postMessage',
    {
      channel: '#general',
      text: 'Hi\n_Sent by the workflow Workflow_',
      thread_ts: '1.2',
      reply_broadcast: true,
      icon_emoji: ':tada:',
      username: 'Bot',
      unfurl_links: false,
    },
  ],
  [
    { ...post, text: 'Hi', otherOptions: { ephemeral: { ephemeralValues: { user: at('id', 'U1') } } } },
    'chat.postEphemeral',
    { channel: '#general', text: 'Hi', user: 'U1' },
  ],
  [
    {
      operation: 'update',
      channelId: 'C1',
      ts: '1.2',
      text: 'New',
      updateFields: { parse: 'full' },
      otherOptions: { includeLinkToWorkflow: true },
    },
    'chat.update',
    { channel: 'C1', ts: '1.2', text: 'New\n_Sent by the workflow Workflow_', parse: 'full' },
  ],
  [{ operation: 'delete', channelId: 'C1', timestamp: '1.2' }, 'chat.delete', { channel: 'C1', ts: '1.2' }],
  [{ operation: 'getPermalink', channelId: 'C1', timestamp: '1.2' }, 'chat.getPermalink', { channel: 'C1', message_ts: '1.2' }],
  [
    { operation: 'search', query: 'a b', options: { searchChannel: ['general'] }, limit: 5 },
    'search.messages',
    { query: 'a b in:general', sort: 'timestamp', sort_dir: 'desc', count: '5', page: '1' },
  ],
  [
    { operation: 'search', query: 'a', sort: 'relevance' },
    'search.messages',
    { query: 'a', sort: 'score', count: '25', page: '1' },
  ],
  [
    { resource: 'channel', channelId: 'new-one', channelVisibility: 'private' },
    'conversations.create',
    { name: 'new-one', is_private: true },
  ],
  [
    { resource: 'channel', operation: 'get', channelId: 'C1', options: { includeNumMembers: true } },
    'conversations.info',
    { channel: 'C1', include_num_members: 'true' },
  ],
  [
    { resource: 'channel', operation: 'getAll', limit: 3, filters: { types: ['im'], excludeArchived: true } },
    'conversations.list',
    { types: 'im', exclude_archived: 'true', limit: '3' },
  ],
  [
    { resource: 'channel', operation: 'history', channelId: 'C1', filters: { oldest: '1.0' } },
    'conversations.history',
    { channel: 'C1', oldest: '1.0', limit: '50' },
  ],
  [
    { resource: 'channel', operation: 'replies', channelId: 'C1', ts: '1.2', returnAll: true },
    'conversations.replies',
    { channel: 'C1', ts: '1.2', limit: '200' },
  ],
  [
    { resource: 'channel', operation: 'invite', channelId: 'C1', userIds: ['U1', 'U2'] },
    'conversations.invite',
    { channel: 'C1', users: 'U1,U2' },
  ],
  [
    { resource: 'channel', operation: 'kick', channelId: 'C1', userId: 'U1' },
    'conversations.kick',
    { channel: 'C1', user: 'U1' },
  ],
  [
    { resource: 'channel', operation: 'open', options: { users: ['U1'], returnIm: true } },
    'conversations.open',
    { users: 'U1', return_im: true },
  ],
  [
    { resource: 'channel', operation: 'rename', channelId: 'C1', name: 'n' },
    'conversations.rename',
    { channel: 'C1', name: 'n' },
  ],
  [
    { resource: 'channel', operation: 'setPurpose', channelId: 'C1', purpose: 'p' },
    'conversations.setPurpose',
    { channel: 'C1', purpose: 'p' },
  ],
  [
    { resource: 'channel', operation: 'setTopic', channelId: 'C1', topic: 't' },
    'conversations.setTopic',
    { channel: 'C1', topic: 't' },
  ],
  ...['archive', 'close', 'join', 'leave', 'unarchive'].map((operation): [JsonObject, string, JsonObject] => [
    { resource: 'channel', operation, channelId: 'C1' },
    `conversations.${operation}`,
    { channel: 'C1' },
  ]),
  [
    { resource: 'reaction', channelId: 'C1', timestamp: '1.2', name: ':tada:' },
    'reactions.add',
    { channel: 'C1', timestamp: '1.2', name: 'tada' },
  ],
  [
    { resource: 'reaction', operation: 'get', channelId: 'C1', timestamp: '1.2' },
    'reactions.get',
    { channel: 'C1', timestamp: '1.2' },
  ],
  [
    { resource: 'reaction', operation: 'remove', channelId: 'C1', timestamp: '1.2', name: 'tada' },
    'reactions.remove',
    { channel: 'C1', timestamp: '1.2', name: 'tada' },
  ],
  [{ resource: 'user', user: 'U1' }, 'users.info', { user: 'U1' }],
  [{ resource: 'user', operation: 'getAll' }, 'users.list', { limit: '50' }],
  [{ resource: 'user', operation: 'getProfile', user: 'U1' }, 'users.profile.get', { user: 'U1' }],
  [{ resource: 'user', operation: 'getPresence', user: 'U1' }, 'users.getPresence', { user: 'U1' }],
  [{ resource: 'file', operation: 'get', fileId: 'F1' }, 'files.info', { file: 'F1' }],
])('%j calls %s', async (parameters, method, expected) => {
  expect(await runForJson(slack, runOf(parameters))).not.toEqual([]);
  expect(sent()).toEqual([[method, expected]]);
});

test.each<[JsonObject, string, JsonObject]>([
  [{ channel: '#general', text: 'Hi' }, 'chat.postMessage', { channel: '#general', text: 'Hi' }],
  [
    {
      channel: 'C1',
      text: 'Hi',
      username: 'Bot',
      attachments: [{ color: '#f00', fields: { item: [{ title: 'A', value: 'B' }] } }],
      otherOptions: { icon_emoji: ':tada:', thread_ts: '1.2', mrkdwn: true },
    },
    'chat.postMessage',
    {
      channel: 'C1',
      text: 'Hi',
      username: 'Bot',
      attachments: [{ color: '#f00', fields: [{ title: 'A', value: 'B' }] }],
      icon_emoji: ':tada:',
      thread_ts: '1.2',
      mrkdwn: true,
    },
  ],
  [
    { channel: 'C1', jsonParameters: true, blocksJson: JSON.stringify(blocks), attachmentsJson: '[]' },
    'chat.postMessage',
    { channel: 'C1', blocks },
  ],
  [
    { operation: 'update', channelId: 'C1', ts: '1.2', text: 'New', updateFields: { parse: 'full' } },
    'chat.update',
    { channel: 'C1', ts: '1.2', text: 'New', parse: 'full' },
  ],
  [{ operation: 'delete', channelId: 'C1', timestamp: '1.2' }, 'chat.delete', { channel: 'C1', ts: '1.2' }],
  [{ resource: 'channel', operation: 'history', channelId: 'C1' }, 'conversations.history', { channel: 'C1', limit: '50' }],
])('version 1: %j calls %s', async (parameters, method, expected) => {
  expect(await runForJson(slack, runOf(parameters, { typeVersion: 1 }))).not.toEqual([]);
  expect(sent()).toEqual([[method, expected]]);
});

test('an empty message in version 1 is rejected', async () => {
  await expect(runNode(slack, runOf({ channel: 'C1' }, { typeVersion: 1 }))).rejects.toThrow('the message is empty');
});

test('the response to a message has its timestamp under both names', async () => {
  expect(await runForJson(slack, runOf(example.parameters))).toEqual(example.outputs?.[0]);
});

test('members are one item each', async () => {
  expect(await runForJson(slack, runOf({ resource: 'channel', operation: 'member', channelId: 'C1' }))).toEqual([
    { member: 'U1' },
    { member: 'U2' },
  ]);
});

test('members may be the users themselves', async () => {
  const parameters = { resource: 'channel', operation: 'member', channelId: 'C1', resolveData: true };
  expect(await runForJson(slack, runOf(parameters))).toEqual([{ id: 'U1' }, { id: 'U1' }]);
  const requests = server.received
    .map(({ url }) => new URL(url, server.origin))
    .filter(({ pathname }) => pathname.endsWith('info'));
  expect(requests.map(({ searchParams }) => searchParams.get('user'))).toEqual(['U1', 'U2']);
});

const page = (id: string, cursor: string) => ({
  json: { ok: true, channels: [{ id }], response_metadata: { next_cursor: cursor } },
});
test('a list is read to its end', async () => {
  server.on('GET /api/conversations.list', ({ query }) =>
    query['cursor'] === undefined ? page('C1', 'next=') : page('C2', ''),
  );
  expect(await runForJson(slack, runOf({ resource: 'channel', operation: 'getAll', returnAll: true }))).toEqual([
    { id: 'C1' },
    { id: 'C2' },
  ]);
  expect(sent().at(-1)).toEqual(['conversations.list', { limit: '200', cursor: 'next=' }]);
});

test('a search is read to its end', async () => {
  server.on('GET /api/search.messages', ({ query }) => ({
    json: {
      ok: true,
      messages: { matches: [{ n: String(query['page']) }], paging: { page: Number(query['page']), pages: 2 } },
    },
  }));
  expect(await runForJson(slack, runOf({ operation: 'search', query: 'a', returnAll: true }))).toEqual([
    { n: '1' },
    { n: '2' },
  ]);
});

test('since version 2.7, messages are found by the Real-time Search API, up to a limit', async () => {
  server.on('GET /api/assistant.search.context', ({ query }) => ({
    json: {
      ok: true,
      results: { messages: Array.from({ length: 20 }, () => ({ content: 'a', page: String(query['cursor'] ?? 'first') })) },
      response_metadata: { next_cursor: `${query['cursor'] ?? ''}n` },
    },
  }));
  const options = {
    searchChannel: ['general'],
    channelTypes: ['public_channel', 'im'],
    after: '2026-01-31T00:00:00Z',
    before: '1769904000',
    keywordSearchOnly: true,
  };
  const parameters = { operation: 'search', query: 'a', options, limit: 100, sort: 'relevance' };
  const output = await runForJson(slack, runOf(parameters, { typeVersion: 2.7 }));
  expect(output).toHaveLength(50);
  expect(output.at(-1)).toEqual({ content: 'a', page: 'nn' });
  expect(sent()[0]).toEqual([
    'assistant.search.context',
    {
      query: 'a in:general',
      sort: 'score',
      content_types: 'messages',
      channel_types: 'public_channel,im',
      after: '1769817600',
      before: '1769904000',
      disable_semantic_search: 'true',
      limit: '20',
    },
  ]);
  const dated = { ...parameters, options: { after: 'soon' } };
  await expect(runNode(slack, runOf(dated, { typeVersion: 2.7 }))).rejects.toThrow('"options.after" is not a date');
});

test.each([2.5, 2.6, 2.7])('version %s posts as 2.4', async (typeVersion) => {
  const parameters = { ...post, text: 'Hi', otherOptions: { mrkdwn: false, sendAsUser: 'Bot' } };
  await runNode(slack, runOf(parameters, { typeVersion }));
  expect(sent()).toEqual([['chat.postMessage', { channel: '#general', text: 'Hi', mrkdwn: false, username: 'Bot' }]]);
});

test('a file is uploaded in three requests, as a stream', async () => {
  const binary = streamedOnly();
  const data = await binary.store(Buffer.from('some text'), { fileName: 'a.txt' });
  const parameters = { resource: 'file', options: { channelId: 'C1', initialComment: 'Look' } };
  const run = runOf(parameters, { binary, inputs: [[{ json: {}, binary: { data } }]] });
  expect(await runForJson(slack, run)).toEqual([{ id: 'F1', title: 'a.txt' }]);
  expect(server.received.map(({ url, body }) => [url, body.toString()])).toEqual([
    ['/api/files.getUploadURLExternal', 'filename=a.txt&length=9'],
    ['/upload/1', 'some text'],
    [
      '/api/files.completeUploadExternal',
      JSON.stringify({ files: [{ id: 'F1', title: 'a.txt' }], channel_id: 'C1', initial_comment: 'Look' }),
    ],
  ]);
});

test('before version 2.2, text can be uploaded to several channels', async () => {
  const options = { channelIds: ['C1', 'C2'], fileName: 'a.txt' };
  await runNode(slack, runOf({ resource: 'file', fileContent: 'some text', options }, { typeVersion: 2.1 }));
  expect(server.received.slice(1).map(({ body }) => body.toString())).toEqual([
    'some text',
    JSON.stringify({ files: [{ id: 'F1', title: 'a.txt' }], channels: 'C1,C2' }),
  ]);
});

test('an error with status 200 includes code, needed scope, and hint', async () => {
  server.on('POST /api/chat.postMessage', () => ({ json: { ok: false, error: 'missing_scope', needed: 'chat:write' } }));
  await expect(runNode(slack, runOf(example.parameters))).rejects.toMatchObject({
    code: 'NODE_API_ERROR',
    message: 'Slack: missing scope (needed: chat:write) (missing_scope)',
    description: expect.stringContaining('Add the scope'),
    itemIndex: 0,
  });
});

test('only the failed item has an error if the node continues', async () => {
  server.on('POST /api/chat.postMessage', ({ count }) => ({
    json: count === 1 ? { ok: false, error: 'not_in_channel' } : { ok: true },
  }));
  const output = await runForJson(slack, runOf(example.parameters, { json: [{}, {}], continueOnFail: true }));
  expect(output).toEqual([{ error: 'Slack: not in channel (not_in_channel)' }, { ok: true, message_timestamp: null }]);
});

test('a rate-limited request is retried', async () => {
  server.on('POST /api/chat.postMessage', ({ count }) =>
    count === 1
      ? { status: 429, headers: { 'retry-after': '0' }, json: { ok: false, error: 'ratelimited' } }
      : { status: 200, json: { ok: true } },
  );
  await runNode(slack, runOf(example.parameters));
  expect(server.received).toHaveLength(2);
});

test.each<[JsonObject, string]>([
  [{ ...post, messageType: 'block', blocksUi: '{}' }, 'the parameter "blocksUi" has no list of blocks'],
  [{ ...post, channelId: at('list', ''), text: 'Hi' }, 'the parameter "channelId" is required'],
  [{ ...post, channelId: at('url', 'https://x.example'), text: 'Hi' }, 'the parameter "channelId" is not a URL of this kind'],
])('%j is refused before a request', async (parameters, message) => {
  await expect(runNode(slack, runOf(parameters))).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('channels and users are found by a part of their name', async () => {
  const context: MethodContext = webhookContext({ http: server.http, credentials });
  expect(await slack.methods?.loadOptions?.['getChannels']?.(context)).toEqual([
    { name: 'general', value: 'C1' },
    { name: 'zoo', value: 'C2' },
  ]);
  expect(await slack.methods?.listSearch?.['getChannels']?.(context, 'GEN')).toEqual({
    results: [{ name: 'general', value: 'C1' }],
  });
  expect(await slack.methods?.listSearch?.['getUsers']?.(context, 'b')).toEqual({ results: [] });
});

test('a question is sent to a user unless the author selects a channel, and into a thread', async () => {
  const thread = { replyValues: { thread_ts: '1700000000.000100' } };
  const parameters = { operation: 'sendAndWait', user: 'U1', message: 'Ship?', options: { thread_ts: thread } };
  await runNode(slack, runOf(parameters));
  expect(sent()).toMatchObject([['chat.postMessage', { channel: 'U1', thread_ts: '1700000000.000100' }]]);
});

test('a long question is sent completely, in sections of 3,000 characters', async () => {
  const message = `${'a'.repeat(2_999)}${'😀'.repeat(2_000)}`;
  await runNode(slack, runOf({ ...post, operation: 'sendAndWait', message }));
  const [[, body = null] = []] = sent();
  const texts = ((body as JsonObject)['blocks'] as JsonObject[]).flatMap(({ text }) =>
    text === undefined ? [] : [(text as { text: string }).text],
  );
  expect(texts.map(({ length }) => length)).toEqual([2_999, 3_000, 1_000]);
  expect(texts.join('')).toBe(message);
});

test.each(['history', 'replies'])('dates of the filters of %s become timestamps', async (operation) => {
  const filters = { oldest: '2026-01-31T00:00:00', latest: '1769904000.000100' };
  const parameters = { resource: 'channel', operation, channelId: 'C1', ts: '1700000000.000100', filters };
  await runNode(slack, runOf(parameters, { timezone: 'Europe/Berlin' }));
  expect(sent()).toMatchObject([[`conversations.${operation}`, { oldest: '1769814000', latest: '1769904000.000100' }]]);
});

test('a question has buttons that open the execution page', async () => {
  let waits = false;
  const approvalOptions = { values: { approvalType: 'double' } };
  const parameters = { ...post, operation: 'sendAndWait', message: 'Ship *it*?', approvalOptions };
  await runNode(slack, runOf(parameters, { suspended: () => (waits = true) }));
  const button = (label: string, more: JsonObject = {}) => ({
    type: 'button',
    text: { type: 'plain_text', text: label },
    url: `https://me.example/form-waiting/1/token?decision=${label}`,
    ...more,
  });
  expect(waits).toBe(true);
  expect(sent()).toEqual([
    [
      'chat.postMessage',
      {
        channel: '#general',
        text: 'Ship *it*?',
        blocks: [
          { type: 'section', text: { type: 'mrkdwn', text: 'Ship *it*?' } },
          { type: 'actions', elements: [button('Decline'), button('Approve', { style: 'primary' })] },
        ],
      },
    ],
  ]);
});
