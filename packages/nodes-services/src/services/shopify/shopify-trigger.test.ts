import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject, WebhookMethods } from '@sluice/node-sdk';
import type { ApiServer } from '../../testing/api-server.ts';
import { type FakeWebhook, webhookContext } from '../../testing/webhook-context.ts';
import { example } from './shopify-trigger.example.ts';
import { shopifyTrigger } from './shopify-trigger.ts';
import { shopifyServer } from './testing/shopify-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await shopifyServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const methods = shopifyTrigger.webhookMethods?.['default'] as WebhookMethods;
const account = { shopSubdomain: 'acme', accessToken: 'token1', appSecretKey: 's' };
const contextOf = (webhook: FakeWebhook = {}) =>
  webhookContext({
    http: server.http,
    credentials: { shopifyAccessTokenApi: account },
    parameters: example.parameters,
    ...webhook,
  });
const unsigned = { credentials: { shopifyAccessTokenApi: { ...account, appSecretKey: '' } } };
const root = '/admin/api/2025-10';
const has = (...webhooks: JsonObject[]) => server.on(`GET ${root}/webhooks.json`, () => ({ json: { webhooks } }));
const requests = () => server.received.map(({ method, url }) => `${method} ${url.replace(root, '')}`);
const list = 'GET /webhooks.json?address=https%3A%2F%2Fme.example%2Fwebhook%2Fw%2Fnode%2Fwebhook&limit=250';
const other = { id: 9, address: 'https://other.example/', topic: 'orders/create', format: 'json' };

describe('registration', () => {
  test('has topic and address', async () => {
    const context = contextOf();
    expect(await methods.create(context)).toBe(true);
    expect(requests()).toEqual([list, 'POST /webhooks.json']);
    expect(JSON.parse(server.received.at(-1)?.body.toString() ?? '')).toEqual({
      webhook: { topic: 'orders/create', address: context.webhookUrl(), format: 'json' },
    });
  });

  test('replaces a webhook with another topic', async () => {
    const context = contextOf();
    has({ id: 1, address: context.webhookUrl(), topic: 'orders/paid', format: 'json' }, other);
    await methods.create(context);
    expect(requests()).toEqual([list, 'DELETE /webhooks/1.json', 'POST /webhooks.json']);
  });

  test('exists if Shopify has it, with its topic', async () => {
    const context = contextOf();
    const hook = { id: 1, address: context.webhookUrl(), format: 'json' };
    for (const [topic, exists] of [
      ['orders/paid', false],
      ['orders/create', true],
    ] as const) {
      has({ ...hook, topic }, other);
      expect(await methods.checkExists(context)).toBe(exists);
    }
    expect(await methods.checkExists(contextOf(unsigned))).toBe(false);
  });

  test('is found for removal even if it was changed or its data is lost', async () => {
    has(other);
    expect(await methods.checkAddress?.(contextOf())).toBe(false);
    has({ id: 1, address: contextOf().webhookUrl(), topic: 'orders/paid' });
    expect(await methods.checkAddress?.(contextOf())).toBe(true);
    expect(await methods.checkExists(contextOf())).toBe(false);
  });

  test('is removed, and other webhooks are kept', async () => {
    const context = contextOf();
    has({ id: 1, address: context.webhookUrl() }, other);
    expect(await methods.delete(context)).toBe(true);
    expect(requests()).toEqual([list, 'DELETE /webhooks/1.json']);
  });

  test('fails before a request if the app secret is missing', async () => {
    await expect(methods.create(contextOf(unsigned))).rejects.toThrow(
      'the credential has no "appSecretKey", so requests from Shopify cannot be verified',
    );
    expect(requests()).toEqual([]);
  });

  test('fails with the message from Shopify', async () => {
    server.on(`POST ${root}/webhooks.json`, () => ({ status: 422, json: { errors: { address: ['is invalid'] } } }));
    await expect(methods.create(contextOf())).rejects.toThrow('Shopify: address is invalid (422)');
  });
});

const body = example.outputs?.[0]?.[0] as JsonObject;
const rawBody = Buffer.from(JSON.stringify(body));
const signature = (secret: string) => createHmac('sha256', secret).update(rawBody).digest('base64');

async function received(signatureHeader: string | undefined, webhook: FakeWebhook = {}, topic = 'orders/create') {
  const headers = {
    'x-shopify-topic': topic,
    'x-shopify-event-id': 'e1',
    ...(signatureHeader !== undefined && { 'x-shopify-hmac-sha256': signatureHeader }),
  };
  const context = contextOf({ ...webhook, request: { body, rawBody, headers } });
  return { result: await shopifyTrigger.webhook?.(context), responses: context.responses };
}

describe('an event', () => {
  test('starts an execution', async () => {
    expect((await received(signature('s'))).result).toEqual({ workflowData: [[{ json: body }]], deliveryId: 'e1' });
  });

  test.each<[string, string | undefined, FakeWebhook]>([
    ['a signature with another secret', signature('x'), {}],
    ['no signature', undefined, {}],
    ['a signature with the empty secret, if no secret is known', signature(''), unsigned],
  ])('with %s is refused', async (_, signatureHeader, webhook) => {
    const { result, responses } = await received(signatureHeader, webhook);
    expect([result, responses]).toMatchObject([{ noWebhookResponse: true }, [{ status: 401 }]]);
  });

  test('with another topic starts no execution', async () => {
    expect((await received(signature('s'), {}, 'orders/paid')).result).toEqual({});
  });

  test.each<[string, string, JsonObject]>([
    ['apiKey', 'shopifyApi', { sharedSecret: 's' }],
    ['oAuth2', 'shopifyOAuth2Api', { clientSecret: 's' }],
  ])('of %s is verified with the secret of %s', async (authentication, type, secret) => {
    const webhook = { credentials: { [type]: secret }, parameters: { ...example.parameters, authentication } };
    expect((await received(signature('s'), webhook)).result).toEqual({ workflowData: [[{ json: body }]], deliveryId: 'e1' });
  });
});
