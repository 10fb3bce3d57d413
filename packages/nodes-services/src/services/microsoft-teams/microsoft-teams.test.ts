import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue, MethodContext } from '@sluice/node-sdk';
import { type FakeRun, runForJson, runNode } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { example } from './microsoft-teams.example.ts';
import { microsoftTeams } from './microsoft-teams.ts';
import { teamsServer } from './testing/teams-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await teamsServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const connected = { clientId: 'c', clientSecret: 's', oauthTokenData: { access_token: 't' } };
const credentials = { microsoftTeamsOAuth2Api: connected };
const runOf = (parameters: JsonObject, more: FakeRun = {}): FakeRun => ({
  parameters: { teamId: 't1', channelId: 'k1', chatId: 'c1', ...parameters },
  http: server.http,
  credentials,
  typeVersion: 2,
  ...more,
});
const sent = () =>
  server.received.map(({ method, url, body }): [string, JsonValue] => [
    `${method} ${decodeURIComponent(url.replace('/v1.0', ''))}`,
    body.length > 0 ? JSON.parse(body.toString()) : null,
  ]);
const at = (mode: string, value: string) => ({ __rl: true, mode, value });
const body = (content: string, contentType = 'text') => ({ body: { contentType, content } });
const channelUrl = 'https://teams.microsoft.com/l/channel/19%3Ak%40thread.tacv2/General?groupId=t2&tenantId=x';

test.each<[number, JsonObject, string, JsonValue]>([
  [2, { resource: 'chatMessage', message: 'Hi' }, 'POST /chats/c1/messages', body('Hi')],
  [
    2,
    { resource: 'chatMessage', message: '<b>Hi</b>', contentType: 'html', options: { includeLinkToWorkflow: true } },
    'POST /chats/c1/messages',
    body('<b>Hi</b><br><br><em>Sent by the workflow Workflow</em>', 'html'),
  ],
  [2, { resource: 'chatMessage', operation: 'get', messageId: 'm1' }, 'GET /chats/c1/messages/m1', null],
  [2, { resource: 'chatMessage', operation: 'getAll' }, 'GET /chats/c1/messages?$top=50', null],
  [2, { resource: 'channelMessage', message: 'Hi' }, 'POST /teams/t1/channels/k1/messages', body('Hi')],
  [
    2,
    { resource: 'channelMessage', message: 'Hi', teamId: at('url', channelUrl), channelId: at('url', channelUrl) },
    'POST /teams/t2/channels/19:k@thread.tacv2/messages',
    body('Hi'),
  ],
  [
    2,
    { resource: 'channelMessage', message: 'Hi', options: { makeReply: 'm1' } },
    'POST /teams/t1/channels/k1/messages/m1/replies',
    body('Hi'),
  ],
  [
    1.1,
    { resource: 'channelMessage', message: 'Hi', messageType: 'html' },
    'POST /teams/t1/channels/k1/messages',
    body('Hi', 'html'),
  ],
  [2, { resource: 'channelMessage', operation: 'getAll' }, 'GET /teams/t1/channels/k1/messages?$top=50', null],
  [
    2,
    { name: 'New', options: { description: 'D', type: 'private' } },
    'POST /teams/t1/channels',
    { displayName: 'New', description: 'D', membershipType: 'private' },
  ],
  [2, { operation: 'get' }, 'GET /teams/t1/channels/k1', null],
  [2, { operation: 'getAll' }, 'GET /teams/t1/channels', null],
  [2, { operation: 'deleteChannel' }, 'DELETE /teams/t1/channels/k1', null],
  [2, { operation: 'update', name: 'N' }, 'PATCH /teams/t1/channels/k1', { displayName: 'N' }],
])('version %d with %j sends %s', async (typeVersion, parameters, request, expected) => {
  expect(await runForJson(microsoftTeams, runOf(parameters, { typeVersion }))).not.toEqual([]);
  expect(sent()).toEqual([[request, expected]]);
});

test('the workflow name is text in an HTML message', async () => {
  const parameters = { message: 'Hi', contentType: 'html', options: { includeLinkToWorkflow: true } };
  const workflowName = 'R&D <weekly>';
  await runForJson(microsoftTeams, runOf({ resource: 'chatMessage', ...parameters }, { workflowName }));
  expect(sent()[0]?.[1]).toEqual(body('Hi<br><br><em>Sent by the workflow R&amp;D &lt;weekly&gt;</em>', 'html'));
});

test('the example sends a message', async () => {
  expect(await runForJson(microsoftTeams, runOf(example.parameters))).toEqual(example.outputs?.[0]);
});

test('a question has links that open the execution page', async () => {
  let waits = false;
  const parameters = { resource: 'chatMessage', operation: 'sendAndWait', message: 'Ship it?' };
  await runNode(microsoftTeams, runOf(parameters, { suspended: () => (waits = true) }));
  const content = expect.stringContaining('https://me.example/form-waiting/1/token');
  expect(waits).toBe(true);
  expect(sent()).toEqual([['POST /chats/c1/messages', { body: { contentType: 'html', content } }]]);
});

test('a list is read to its end', async () => {
  const next = 'https://graph.microsoft.com/v1.0/chats/c1/messages?$skiptoken=2';
  server.on('GET /v1.0/chats/:chat/messages', ({ query }) => ({
    json: query['$skiptoken'] ? { value: [{ id: '2' }] } : { value: [{ id: '1' }], '@odata.nextLink': next },
  }));
  const run = runOf({ resource: 'chatMessage', operation: 'getAll', returnAll: true });
  expect(await runForJson(microsoftTeams, run)).toEqual([{ id: '1' }, { id: '2' }]);
});

test('an error includes text and code, and the node may continue', async () => {
  const refusal = { status: 403, json: { error: { code: 'Forbidden', message: 'Missing role permissions' } } };
  server.on('POST /v1.0/chats/:chat/messages', ({ count }) => (count === 1 ? refusal : { json: { id: 'm2' } }));
  const run = runOf(example.parameters, { json: [{}, {}], continueOnFail: true });
  expect(await runForJson(microsoftTeams, run)).toEqual([
    { error: 'Microsoft Teams: Missing role permissions (Forbidden)' },
    { id: 'm2' },
  ]);
});

test('a rate-limited request is retried', async () => {
  server.on('POST /v1.0/chats/:chat/messages', ({ count }) =>
    count === 1 ? { status: 429, headers: { 'retry-after': '0' } } : { json: { id: 'm2' } },
  );
  expect(await runForJson(microsoftTeams, runOf(example.parameters))).toEqual([{ id: 'm2' }]);
});

test('teams, channels, and chats are found by a part of their name', async () => {
  const parameters = { teamId: at('url', 'https://teams.microsoft.com/l/team/x?groupId=t1') };
  const context: MethodContext = webhookContext({ http: server.http, credentials, typeVersion: 2, parameters });
  const { listSearch = {} } = microsoftTeams.methods ?? {};
  expect(await listSearch['getTeams']?.(context, 'mak')).toEqual({ results: [{ name: 'Makers', value: 't1' }] });
  expect(await listSearch['getChannels']?.(context, '')).toEqual({ results: [{ name: 'General', value: 'k1' }] });
  expect(await listSearch['getChats']?.(context, 'one')).toEqual({ results: [{ name: 'oneOnOne (c1)', value: 'c1' }] });
});
