import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject, MethodContext, WebhookMethods } from '@sluice/node-sdk';
import { memoryBinary } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { type FakeWebhook, webhookContext } from '../../testing/webhook-context.ts';
import { example } from './slack-trigger.example.ts';
import { slackTrigger } from './slack-trigger.ts';
import { slackServer } from './testing/slack-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await slackServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { slackApi: { accessToken: 'xoxb-1', signatureSecret: 'secret' } };
const contextOf = (webhook: FakeWebhook = {}) => webhookContext({ http: server.http, credentials, ...webhook });
const methods = slackTrigger.webhookMethods?.['default'] as WebhookMethods;
const event = example.outputs?.[0]?.[0] as JsonObject;

interface Sending {
  secret?: string;
  ageSeconds?: number;
  more?: FakeWebhook;
}

async function received(body: JsonObject, parameters: JsonObject = example.parameters, sending: Sending = {}) {
  const { secret = 'secret', ageSeconds = 0, more = {} } = sending;
  const rawBody = Buffer.from(JSON.stringify(body));
  const sentAt = String(Math.floor(Date.now() / 1_000) - ageSeconds);
  const digest = createHmac('sha256', secret).update(`v0:${sentAt}:${rawBody}`).digest('hex');
  const headers = { 'x-slack-request-timestamp': sentAt, 'x-slack-signature': `v0=${digest}` };
  const context = contextOf({ parameters, request: { body, rawBody, headers }, ...more });
  return { result: await slackTrigger.webhook?.(context), responses: context.responses };
}
const callback = (content: JsonObject) => ({ type: 'event_callback', event: content, event_id: 'Ev1' });

test('an event starts an execution', async () => {
  expect((await received(callback(event))).result).toEqual({ workflowData: [[{ json: event }]], deliveryId: 'Ev1' });
});

test('the address is verified', async () => {
  const { result } = await received({ type: 'url_verification', challenge: 'c', token: 't' });
  expect(result).toEqual({ webhookResponse: { challenge: 'c' } });
});

describe('a request is rejected', () => {
  test.each<[string, Sending]>([
    ['with a wrong signature', { secret: 'guess' }],
    ['that is old', { ageSeconds: 400 }],
    ['if the credential has no secret', { secret: '', more: { credentials: { slackApi: { accessToken: 'x' } } } }],
  ])('%s', async (_, sending) => {
    const { result, responses } = await received(callback(event), example.parameters, sending);
    expect(result).toEqual({ noWebhookResponse: true });
    expect(responses).toMatchObject([{ status: 401 }]);
  });

  test('without a signature', async () => {
    const context = contextOf({ parameters: example.parameters, request: { body: callback(event) } });
    expect(await slackTrigger.webhook?.(context)).toEqual({ noWebhookResponse: true });
  });
});

const share: JsonObject = { type: 'message', subtype: 'file_share', channel: 'C1' };
const reaction: JsonObject = { type: 'reaction_added', user: 'U1', item: { channel: 'C1', ts: '1.2' } };
const room = (value: string) => ({ channelId: { __rl: true, mode: 'id', value } });

test.each<[JsonObject, JsonObject, boolean]>([
  [event, { trigger: ['app_mention'], ...room('C1') }, false],
  [event, { trigger: ['any_event'], ...room('C1') }, true],
  [event, { trigger: ['message'], ...room('C2') }, false],
  [event, { trigger: ['message'], watchWorkspace: true }, true],
  [event, { trigger: ['message'], ...room('C1'), options: { userIds: ['U1'] } }, false],
  [event, { trigger: ['message'], ...room('C1'), options: { userIds: 'U2, U3' } }, true],
  [share, { trigger: ['file_share'], ...room('C1') }, true],
  [{ type: 'file_shared', channel_id: 'C1' }, { trigger: ['file_share'], ...room('C2') }, false],
  [reaction, { trigger: ['reaction_added'], ...room('C1') }, true],
  [reaction, { trigger: ['reaction_added'], ...room('C2') }, false],
  [{ type: 'channel_created', channel: { id: 'C9' } }, { trigger: ['channel_created'] }, true],
  [{ type: 'team_join', user: { id: 'U9' } }, { trigger: ['team_join'] }, true],
])('%j with %j starts an execution: %s', async (content, parameters, starts) => {
  expect((await received(callback(content), parameters)).result).toEqual(
    starts ? { workflowData: [[{ json: content }]], deliveryId: 'Ev1' } : {},
  );
});

test('IDs become names', async () => {
  server.on('GET /api/users.info', () => ({ json: { ok: true, user: { name: 'ann', real_name: 'Ann' } } }));
  server.on('GET /api/conversations.info', () => ({ json: { ok: true, channel: { name: 'general' } } }));
  const parameters = { trigger: ['any_event'], watchWorkspace: true, options: { resolveIds: true } };
  const { result } = await received(callback(event), parameters);
  expect(result?.workflowData).toEqual([[{ json: { ...event, user: 'Ann', channel: 'general' } }]]);
  const again = await received(callback(reaction), parameters);
  expect(again.result?.workflowData).toEqual([
    [{ json: { ...reaction, user: 'Ann', item: { channel: 'general', ts: '1.2' } } }],
  ]);
});

test('files are downloaded with the token', async () => {
  const files = [{ name: 'a.txt', mimetype: 'text/plain', url_private_download: 'https://slack.com/files/1' }, { name: 'b' }];
  const binary = memoryBinary();
  const parameters = { ...example.parameters, trigger: ['file_share'], downloadFiles: true };
  const { result } = await received(callback({ ...share, files }), parameters, { more: { binary } });
  const item = result?.workflowData?.[0]?.[0];
  expect(Object.keys(item?.binary ?? {})).toEqual(['file_0']);
  expect(item?.binary?.['file_0']).toMatchObject({ fileName: 'a.txt', mimeType: 'text/plain' });
  expect(Buffer.from(await binary.read(item?.binary?.['file_0'] as never)).toString()).toBe('some text');
});

test('activation requires the signature secret', async () => {
  expect(await methods.checkExists(contextOf())).toBe(true);
  expect(await methods.create(contextOf())).toBe(true);
  expect(await methods.delete(contextOf())).toBe(true);
  const without = contextOf({ credentials: { slackApi: { accessToken: 'x' } } });
  expect(await methods.checkExists(without)).toBe(false);
  await expect(methods.create(without)).rejects.toThrow('the credential has no signature secret');
});

test('channels are found by a part of their name', async () => {
  const context: MethodContext = contextOf();
  expect(await slackTrigger.methods?.listSearch?.['getChannels']?.(context, 'gen')).toEqual({
    results: [{ name: 'general', value: 'C1' }],
  });
});
