import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue, MethodContext } from '@sluice/node-sdk';
import { type FakeRun, memoryBinary, runForJson, runNode } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { example } from './discord.example.ts';
import { discord } from './discord.ts';
import { discordServer } from './testing/discord-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await discordServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const webhookUri = 'https://discord.com/api/webhooks/1/secret';
const credentials = {
  discordBotApi: { botToken: 'b' },
  discordOAuth2Api: { clientId: 'c', botToken: 'b', oauthTokenData: { access_token: 't' } },
  discordWebhookApi: { webhookUri },
};
const runOf = (parameters: JsonObject, more: FakeRun = {}): FakeRun => ({
  parameters: { guildId: '1', channelId: '2', ...parameters },
  http: server.http,
  credentials,
  typeVersion: 2,
  ...more,
});
const sent = () =>
  server.received.map(({ method, url, body }): [string, JsonValue] => {
    const { pathname, search } = new URL(url, server.origin);
    const content = body.toString();
    return [`${method} ${pathname.replace('/api/v10', '')}${search}`, content.startsWith('{') ? JSON.parse(content) : null];
  });

const at = (mode: string, value: string) => ({ __rl: true, mode, value });
const send = { resource: 'message', content: 'Hi' };
const room = 'POST /channels/2/messages';

test.each<[JsonObject, string, JsonValue]>([
  [send, room, { content: 'Hi' }],
  [{ ...send, authentication: 'oAuth2' }, room, { content: 'Hi' }],
  [{ ...send, channelId: at('url', 'https://discord.com/channels/1/2') }, room, { content: 'Hi' }],
  [
    { ...send, options: { tts: true, flags: ['SUPPRESS_EMBEDS', 'SUPPRESS_NOTIFICATIONS'], message_reference: '7' } },
    room,
    { content: 'Hi', tts: true, flags: 4_100, message_reference: { message_id: '7' } },
  ],
  [
    {
      resource: 'message',
      embeds: {
        values: [
          { title: 'T', description: 'D', color: '#ff8800', author: 'A', image: 'https://a.example/i', url: '' },
          { inputMethod: 'json', json: '{"title":"J"}' },
          { inputMethod: 'fields', color: 255, thumbnail: 'https://a.example/t', video: 'https://a.example/v' },
        ],
      },
    },
    room,
    {
      embeds: [
        { title: 'T', description: 'D', color: 0xff_88_00, author: { name: 'A' }, image: { url: 'https://a.example/i' } },
        { title: 'J' },
        { color: 255, thumbnail: { url: 'https://a.example/t' }, video: { url: 'https://a.example/v' } },
      ],
    },
  ],
  [{ resource: 'message', operation: 'get', messageId: '7' }, 'GET /channels/2/messages/7', null],
  [{ resource: 'message', operation: 'deleteMessage', messageId: '7' }, 'DELETE /channels/2/messages/7', null],
  [{ resource: 'message', operation: 'getAll', limit: 5 }, 'GET /channels/2/messages?limit=5', null],
  [
    { resource: 'message', operation: 'react', messageId: '7', emoji: '<:party:42>' },
    'PUT /channels/2/messages/7/reactions/party%3A42/@me',
    null,
  ],
  [
    { name: 'new', type: '2', options: { bitrate: 9_000, user_limit: 4, categoryId: at('id', '3') } },
    'POST /guilds/1/channels',
    { name: 'new', type: 2, bitrate: 9_000, user_limit: 4, parent_id: '3' },
  ],
  [{ operation: 'get' }, 'GET /channels/2', null],
  [{ operation: 'deleteChannel' }, 'DELETE /channels/2', null],
  [
    { operation: 'update', name: 'n', options: { topic: 'T', nsfw: true } },
    'PATCH /channels/2',
    { name: 'n', topic: 'T', nsfw: true },
  ],
  [{ operation: 'getAll', guildId: at('url', 'https://discord.com/channels/1/2') }, 'GET /guilds/1/channels', null],
  [{ resource: 'member', after: '5', returnAll: true }, 'GET /guilds/1/members?limit=1000&after=5', null],
  [{ resource: 'member', operation: 'roleAdd', userId: at('id', '8'), role: ['6'] }, 'PUT /guilds/1/members/8/roles/6', null],
  [{ resource: 'member', operation: 'roleRemove', userId: '8', role: '6' }, 'DELETE /guilds/1/members/8/roles/6', null],
])('%j sends %s', async (parameters, request, body) => {
  expect(await runForJson(discord, runOf(parameters))).not.toEqual([]);
  expect(sent()).toEqual([[request, body]]);
});

test('the example returns the message', async () => {
  expect(await runForJson(discord, runOf(example.parameters))).toEqual(example.outputs?.[0]);
});

test('a member can get several roles', async () => {
  const parameters = { resource: 'member', operation: 'roleAdd', userId: '8', role: ['5', '6'] };
  expect(await runForJson(discord, runOf(parameters))).toEqual([{ success: true }]);
  expect(sent().map(([request]) => request)).toEqual(['PUT /guilds/1/members/8/roles/5', 'PUT /guilds/1/members/8/roles/6']);
});

test('a message to a user goes to the direct channel', async () => {
  await runForJson(discord, runOf({ ...send, sendTo: 'user', userId: at('id', '8') }));
  expect(sent()).toEqual([
    ['POST /users/@me/channels', { recipient_id: '8' }],
    ['POST /channels/9/messages', { content: 'Hi' }],
  ]);
});

test.each<[JsonObject, string]>([
  [{ resource: 'message' }, 'POST /api/v10/channels/:channel/messages'],
  [{ authentication: 'webhook' }, 'POST /api/webhooks/1/secret'],
])('%j uploads files of the item', async (parameters, route) => {
  const binary = memoryBinary();
  const picture = await binary.store(Buffer.from('bytes'), { fileName: 'a.png' });
  let body: unknown;
  server.on(route, (call) => {
    body = call.body;
    return { json: { id: '7' } };
  });
  const run = { ...parameters, content: 'Look', files: { values: [{ inputFieldName: 'picture' }] } };
  await runNode(discord, runOf(run, { binary, inputs: [[{ json: {}, binary: { picture } }]] }));
  expect(body).toEqual({
    payload_json: '{"content":"Look"}',
    'files[0]': { name: 'a.png', type: 'image/png', text: 'bytes' },
  });
});

test.each<[number, JsonObject, string, JsonObject, JsonObject]>([
  [
    2,
    { authentication: 'webhook', content: 'Hi', options: { username: 'Bot', avatar_url: 'https://a.example/p', wait: true } },
    '?wait=true',
    { content: 'Hi', username: 'Bot', avatar_url: 'https://a.example/p' },
    { id: '7', channel_id: '2', content: 'Hello' },
  ],
  [2, { authentication: 'webhook', content: 'Hi' }, '?wait=false', { content: 'Hi' }, { success: true }],
  [1, { webhookUri, text: 'Hi', options: {} }, '', { content: 'Hi' }, { success: true }],
  [
    1,
    {
      webhookUri,
      text: 'Hi',
      options: { avatarUrl: 'https://a.example/p', embeds: '[{"title":"T"}]', allowedMentions: '{"parse":[]}', tts: true },
    },
    '',
    { content: 'Hi', avatar_url: 'https://a.example/p', tts: true, allowed_mentions: { parse: [] }, embeds: [{ title: 'T' }] },
    { success: true },
  ],
  [1, { webhookUri, options: { payloadJson: '{"content":"P"}' } }, '', { content: 'P' }, { success: true }],
])('version %d with %j sends a webhook', async (typeVersion, parameters, query, body, expected) => {
  expect(await runForJson(discord, runOf(parameters, { typeVersion }))).toEqual([expected]);
  expect(sent()).toEqual([[`POST /api/webhooks/1/secret${query}`, body]]);
});

const messages = (...ids: number[]) => ({ json: ids.map((id) => ({ id: String(id), author: { id: '8' } })) });
const ids = (from: number, count: number) => Array.from({ length: count }, (_, index) => from - index);

test('messages are read to the end', async () => {
  server.on('GET /api/v10/channels/:channel/messages', ({ query }) =>
    query['before'] === undefined ? messages(...ids(300, 100)) : messages(...ids(200, 3)),
  );
  const output = await runForJson(discord, runOf({ resource: 'message', operation: 'getAll', returnAll: true }));
  expect([output.length, output.at(-1)]).toEqual([103, { id: '198', author: { id: '8' } }]);
  expect(sent().map(([request]) => request)).toEqual([
    'GET /channels/2/messages?limit=100',
    'GET /channels/2/messages?limit=100&before=201',
  ]);
});

test('members are read to the end', async () => {
  server.on('GET /api/v10/guilds/:guild/members', ({ query }) => ({
    json: query['after'] === undefined ? ids(5_000, 1_000).map((id) => ({ user: { id: String(id) } })) : [],
  }));
  expect(await runForJson(discord, runOf({ resource: 'member', returnAll: true }))).toHaveLength(1_000);
  expect(sent().at(-1)?.[0]).toBe('GET /guilds/1/members?limit=1000&after=4001');
});

test.each<[JsonObject, JsonObject[]]>([
  [
    { operation: 'getAll', options: { filter: ['2', '4'] } },
    [
      { id: '3', type: 4, name: 'Rooms' },
      { id: '4', type: 2, name: 'voice' },
    ],
  ],
  [{ operation: 'getAll', limit: 1 }, [{ id: '2', type: 0, name: 'general' }]],
  [
    { resource: 'member', options: { simplify: true } },
    [{ user: { id: '8', username: 'ann' }, roles: ['6'], permissions: null }],
  ],
  [
    { resource: 'message', operation: 'get', messageId: '7', options: { simplify: true } },
    [{ id: '7', channel_id: '2', author: { id: '8', username: 'ann' }, content: 'Hello', timestamp: null, type: 0 }],
  ],
  [
    { resource: 'message', operation: 'getAll', options: { simplify: true } },
    [{ id: '7', channel_id: '2', author: { id: '8', username: 'ann' }, content: 'Hello', timestamp: null, type: null }],
  ],
])('%j returns %j', async (parameters, expected) => {
  expect(await runForJson(discord, runOf(parameters))).toEqual(expected);
});

const refusal = {
  code: 50_035,
  message: 'Invalid Form Body',
  errors: {
    embeds: { 0: { title: { _errors: [{ code: 'BASE_TYPE_MAX_LENGTH', message: 'Must be 256 or fewer in length.' }] } } },
  },
};

test('an error includes the text, the reasons, and the code from Discord', async () => {
  server.on('POST /api/v10/channels/:channel/messages', () => ({ status: 400, json: refusal }));
  await expect(runNode(discord, runOf(example.parameters))).rejects.toMatchObject({
    message: 'Discord: Invalid Form Body; embeds.0.title: Must be 256 or fewer in length. (50035)',
    itemIndex: 0,
    details: { status: 400, code: 50_035 },
  });
});

test('only the failed item has an error if the node continues', async () => {
  server.on('POST /api/v10/channels/:channel/messages', ({ count }) =>
    count === 1 ? { status: 403, json: { code: 50_001, message: 'Missing Access' } } : { json: { id: '7' } },
  );
  const output = await runForJson(discord, runOf(example.parameters, { json: [{}, {}], continueOnFail: true }));
  expect(output).toEqual([{ error: 'Discord: Missing Access (50001)' }, { id: '7' }]);
});

test('a rate-limited request is retried', async () => {
  server.on('POST /api/v10/channels/:channel/messages', ({ count }) =>
    count === 1
      ? { status: 429, json: { message: 'You are being rate limited.', retry_after: 0.01, global: false } }
      : { json: { id: '7' } },
  );
  await runNode(discord, runOf(example.parameters));
  expect(server.received).toHaveLength(2);
});

test.each<[JsonObject, string]>([
  [{ resource: 'message' }, 'the message is empty'],
  [{ authentication: 'webhook' }, 'the message is empty'],
  [{ resource: 'message', embeds: { values: [{ color: 'red' }] } }, 'the color of an embed is not a color'],
  [{ resource: 'message', embeds: { values: [{ inputMethod: 'json', json: '{' }] } }, 'an embed is not valid JSON'],
  [{ resource: 'message', embeds: { values: [{ inputMethod: 'json', json: '[]' }] } }, 'the JSON of an embed is not an object'],
  [{ resource: 'member', operation: 'roleAdd', userId: '8' }, 'the parameter "role" is required'],
])('%j is refused before a request', async (parameters, message) => {
  await expect(runNode(discord, runOf(parameters))).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('an empty message in version 1 is rejected', async () => {
  await expect(runNode(discord, runOf({ webhookUri }, { typeVersion: 1 }))).rejects.toThrow('the message is empty');
});

test('servers, channels, users, and roles are found by a part of their name', async () => {
  const parameters = { guildId: at('list', '1') };
  const context: MethodContext = webhookContext({ http: server.http, credentials, typeVersion: 2, parameters });
  const { listSearch = {}, loadOptions = {} } = discord.methods ?? {};
  expect(await listSearch['guildSearch']?.(context, 'mak')).toEqual({ results: [{ name: 'Makers', value: '1' }] });
  expect(await listSearch['channelSearch']?.(context, '')).toEqual({
    results: [
      { name: 'general', value: '2' },
      { name: 'voice', value: '4' },
    ],
  });
  expect(await listSearch['categorySearch']?.(context, '3')).toEqual({ results: [{ name: 'Rooms', value: '3' }] });
  expect(await listSearch['userSearch']?.(context, 'ann')).toEqual({ results: [{ name: 'ann', value: '8' }] });
  expect(await loadOptions['getRoles']?.(context)).toEqual([{ name: 'Admin', value: '6' }]);
});

test('a server selected by URL has the lists too', async () => {
  const parameters = { guildId: at('url', 'https://discord.com/channels/1/2') };
  const context: MethodContext = webhookContext({ http: server.http, credentials, typeVersion: 2, parameters });
  expect(await discord.methods?.loadOptions?.['getRoles']?.(context)).toEqual([{ name: 'Admin', value: '6' }]);
});

test.each<[JsonValue]>([[{}], [{ id: '' }], [[]]])('a channel that Discord has not opened is an error: %j', async (json) => {
  server.on('POST /api/v10/users/@me/channels', () => ({ json }));
  const run = runNode(discord, runOf({ ...send, sendTo: 'user', userId: '7', content: 'Hi' }));
  await expect(run).rejects.toThrow('Discord has not opened a channel with this user');
});

test('the ID of an opened channel cannot change the path', async () => {
  server.on('POST /api/v10/users/@me/channels', () => ({ json: { id: '1/2?x' } }));
  server.on('POST /api/v10/channels/:channel/messages', () => ({ json: { id: '1' } }));
  await runNode(discord, runOf({ ...send, sendTo: 'user', userId: '7', content: 'Hi' }));
  expect(sent().at(-1)?.[0]).toBe('POST /channels/1%2F2%3Fx/messages');
});

test('a question has links that open the execution page', async () => {
  let waits = false;
  const parameters = { resource: 'message', operation: 'sendAndWait', message: 'Ship it?', responseType: 'freeText' };
  await runNode(discord, runOf(parameters, { suspended: () => (waits = true) }));
  const button = { type: 2, style: 5, label: 'Respond', url: 'https://me.example/form-waiting/1/token' };
  expect(waits).toBe(true);
  expect(sent()).toEqual([[room, { content: 'Ship it?', components: [{ type: 1, components: [button] }] }]]);
});
