import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject, WebhookMethods } from '@sluice/node-sdk';
import type { ApiServer } from '../../testing/api-server.ts';
import { type FakeWebhook, webhookContext } from '../../testing/webhook-context.ts';
import { whatsAppServer } from './testing/whats-app-server.ts';
import { example } from './whats-app-trigger.example.ts';
import { whatsAppTrigger } from './whats-app-trigger.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await whatsAppServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const methods = whatsAppTrigger.webhookMethods?.['default'] as WebhookMethods;
const credentials = { whatsAppTriggerApi: { clientId: '7', clientSecret: 'secret' } };
const contextOf = (webhook: FakeWebhook = {}) =>
  webhookContext({ http: server.http, credentials, parameters: { updates: ['messages', 'security'] }, ...webhook });
const url = 'https://me.example/webhook/w/node/webhook';
const subscriptions = (callback: string, ...names: string[]) =>
  server.on('GET /v23.0/7/subscriptions', () => ({
    json: {
      data: [{ object: 'whatsapp_business_account', callback_url: callback, fields: names.map((name) => ({ name })) }],
    },
  }));
const requests = () => server.received.map(({ method, url: target }) => `${method} ${target}`);

/** The verify token that the registration sends. */
async function registeredToken(): Promise<string> {
  await methods.create(contextOf());
  return new URLSearchParams(server.received.at(-1)?.body.toString()).get('verify_token') ?? '';
}

describe('registration', () => {
  test('subscribes the app to the updates', async () => {
    const token = await registeredToken();
    expect(token).toMatch(/^[\da-f]{64}$/);
    expect(Object.fromEntries(new URLSearchParams(server.received[0]?.body.toString()))).toEqual({
      object: 'whatsapp_business_account',
      callback_url: url,
      fields: 'messages,security',
      verify_token: token,
    });
  });

  test('exists if the app sends all updates to the address', async () => {
    expect(await methods.checkExists(contextOf())).toBe(false);
    subscriptions(url, 'messages');
    expect(await methods.checkExists(contextOf())).toBe(false);
    subscriptions(url, 'messages', 'security', 'account_update');
    expect(await methods.checkExists(contextOf())).toBe(true);
  });

  test('is found for removal even if it was changed or its data is lost', async () => {
    subscriptions('https://other.example/');
    expect(await methods.checkAddress?.(contextOf())).toBe(false);
    subscriptions(url);
    expect(await methods.checkAddress?.(contextOf())).toBe(true);
    expect(await methods.checkExists(contextOf())).toBe(false);
  });

  test('is removed', async () => {
    subscriptions(url);
    expect(await methods.delete(contextOf())).toBe(true);
    expect(requests().at(-1)).toBe('DELETE /v23.0/7/subscriptions?object=whatsapp_business_account');
  });

  test('for another workflow is kept', async () => {
    subscriptions('https://other.example/');
    expect(await methods.delete(contextOf())).toBe(true);
    expect(requests()).toEqual(['GET /v23.0/7/subscriptions']);
  });
});

const paths = async (query: JsonObject) => {
  const context = { ...contextOf({ request: { method: 'GET', query } }), webhookName: 'setup' };
  expect(await whatsAppTrigger.webhook?.(context)).toEqual({ noWebhookResponse: true });
  return context.responses;
};

test('the address is verified with the registration token', async () => {
  const token = await registeredToken();
  const query = { 'hub.mode': 'subscribe', 'hub.challenge': '1158201444', 'hub.verify_token': token };
  expect(await paths(query)).toMatchObject([{ status: 200, body: { kind: 'text', text: '1158201444' } }]);
  expect(await paths({ ...query, 'hub.verify_token': 'guess' })).toMatchObject([{ status: 401 }]);
});

const item = example.outputs?.[0]?.[0] as JsonObject;
const { field = '', ...value } = item;
const bodyOf = (...changes: JsonObject[]): JsonObject => ({
  object: 'whatsapp_business_account',
  entry: [{ id: '42', changes }],
});

async function received(body: JsonObject, { options = {}, secret = 'secret' }: { options?: JsonObject; secret?: string } = {}) {
  const rawBody = Buffer.from(JSON.stringify(body));
  const signature = `sha256=${createHmac('sha256', secret).update(rawBody).digest('hex')}`;
  const request = { body, rawBody, headers: { 'x-hub-signature-256': signature } };
  const context = contextOf({ parameters: { updates: ['messages'], options }, request });
  return { result: await whatsAppTrigger.webhook?.(context), responses: context.responses };
}

test('a change starts an execution', async () => {
  const { result } = await received(bodyOf({ field, value }, { field: 'security', value: { a: 1 } }));
  expect(result).toMatchObject({ workflowData: [[{ json: item }, { json: { a: 1, field: 'security' } }]] });
});

describe('a repeated delivery has the ID of the first delivery', () => {
  const deliveryOf = async (...changes: JsonObject[]) => {
    const { result } = await received(bodyOf(...changes));
    return result && 'deliveryId' in result ? result.deliveryId : undefined;
  };
  const messages = (...ids: string[]): JsonObject => ({ field, value: { messages: ids.map((id) => ({ id })) } });
  const status = (name: string): JsonObject => ({ field, value: { statuses: [{ id: 'wamid.1', status: name }] } });

  test('derived from the IDs of messages and their statuses', async () => {
    const first = await deliveryOf(messages('wamid.1', 'wamid.2'));
    expect(first).toBeDefined();
    expect(await deliveryOf(messages('wamid.1', 'wamid.2'))).toBe(first);
    const others = [messages('wamid.1'), status('sent'), status('read')].map((change) => deliveryOf(change));
    expect(new Set([first, ...(await Promise.all(others))]).size).toBe(4);
  });

  test('except with a change that has no ID', async () => {
    expect(await deliveryOf(messages('wamid.1'), { field: 'security', value: { a: 1 } })).toBeUndefined();
  });
});

test('a change with a wrong signature is rejected', async () => {
  const { result, responses } = await received(bodyOf({ field, value }), { secret: 'guess' });
  expect(result).toEqual({ noWebhookResponse: true });
  expect(responses).toMatchObject([{ status: 401 }]);
});

test.each<[JsonObject, boolean]>([
  [{}, true],
  [{ messageStatusUpdates: ['all'] }, true],
  [{ messageStatusUpdates: ['read'] }, true],
  [{ messageStatusUpdates: ['sent', 'failed'] }, false],
  [{ messageStatusUpdates: [] }, false],
])('with the options %j, a read receipt starts an execution: %s', async (options, starts) => {
  const { result } = await received(bodyOf({ field: 'messages', value: { statuses: [{ status: 'read' }] } }), { options });
  expect(result && 'workflowData' in result).toBe(starts);
});

test('a change of another object starts nothing', async () => {
  expect((await received({ object: 'page', entry: [] })).result).toEqual({});
});
