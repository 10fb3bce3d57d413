import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject, WebhookMethods } from '@sluice/node-sdk';
import type { ApiServer } from '../../testing/api-server.ts';
import { type FakeWebhook, webhookContext } from '../../testing/webhook-context.ts';
import { wooCommerceServer } from './testing/woo-commerce-server.ts';
import { example } from './woo-commerce-trigger.example.ts';
import { wooCommerceTrigger } from './woo-commerce-trigger.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await wooCommerceServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const methods = wooCommerceTrigger.webhookMethods?.['default'] as WebhookMethods;
const root = '/store/wp-json/wc/v3';
const contextOf = (webhook: FakeWebhook = {}) =>
  webhookContext({
    http: server.http,
    credentials: { wooCommerceApi: { url: 'https://shop.example/store', consumerKey: 'ck1', consumerSecret: 'cs1' } },
    parameters: example.parameters,
    ...webhook,
  });
const has = (...webhooks: JsonObject[]) => server.on(`GET ${root}/webhooks`, () => ({ json: webhooks }));
const requests = () => server.received.map(({ method, url }) => `${method} ${url.replace(root, '')}`);
const list = 'GET /webhooks?per_page=100';
const other = { id: 9, delivery_url: 'https://other.example/', topic: 'order.created', status: 'active' };

describe('registration', () => {
  test('has event, address, and a secret', async () => {
    const context = contextOf();
    expect(await methods.create(context)).toBe(true);
    const { secret, webhook } = context.staticData;
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(webhook).toBe(11);
    expect(requests()).toEqual([list, 'POST /webhooks']);
    expect(JSON.parse(server.received.at(-1)?.body.toString() ?? '')).toEqual({
      delivery_url: context.webhookUrl(),
      name: expect.any(String),
      secret,
      topic: 'order.created',
    });
  });

  test('replaces a webhook whose secret is lost', async () => {
    const context = contextOf();
    has({ id: 1, delivery_url: context.webhookUrl(), topic: 'order.created' }, other);
    await methods.create(context);
    expect(requests()).toEqual([list, 'DELETE /webhooks/1?force=true', 'POST /webhooks']);
  });

  test('exists if the shop has it, active and with its event, and this workflow has its secret', async () => {
    const context = contextOf({ staticData: { webhook: 1, secret: 's' } });
    const hook = { id: 1, delivery_url: context.webhookUrl(), topic: 'order.created', status: 'active' };
    for (const [changes, exists] of [
      [{}, true],
      [{ id: 2 }, false],
      [{ topic: 'order.updated' }, false],
      [{ status: 'disabled' }, false],
      [{ delivery_url: 'https://other.example/' }, false],
    ] as const) {
      has({ ...hook, ...changes }, other);
      expect(await methods.checkExists(context)).toBe(exists);
    }
    expect(await methods.checkExists(contextOf({ staticData: { webhook: 1 } }))).toBe(false);
  });

  test('is found for removal even if it was changed or its data is lost', async () => {
    has(other);
    expect(await methods.checkAddress?.(contextOf())).toBe(false);
    has({ id: 1, delivery_url: contextOf().webhookUrl(), status: 'disabled' });
    expect(await methods.checkAddress?.(contextOf())).toBe(true);
  });

  test('is removed with its secret, and other webhooks are kept', async () => {
    const context = contextOf({ staticData: { webhook: 1, secret: 's' } });
    has({ id: 1, delivery_url: context.webhookUrl() }, other);
    expect(await methods.delete(context)).toBe(true);
    expect(requests()).toEqual([list, 'DELETE /webhooks/1?force=true']);
    expect(context.staticData).toEqual({});
  });

  test('fails with the message of the shop', async () => {
    server.on(`POST ${root}/webhooks`, () => ({
      status: 401,
      json: { code: 'woocommerce_rest_cannot_create', message: 'Sorry, you are not allowed to create resources.' },
    }));
    await expect(methods.create(contextOf())).rejects.toThrow(
      'WooCommerce: Sorry, you are not allowed to create resources. (woocommerce_rest_cannot_create)',
    );
  });
});

const body = example.outputs?.[0]?.[0] as JsonObject;
const rawBody = Buffer.from(JSON.stringify(body));
const signature = (secret: string) => createHmac('sha256', secret).update(rawBody).digest('base64');

async function received(
  signatureHeader: string | undefined,
  staticData: JsonObject = { secret: 's' },
  topic = 'order.created',
) {
  const headers = {
    'x-wc-webhook-topic': topic,
    ...(signatureHeader !== undefined && { 'x-wc-webhook-signature': signatureHeader }),
  };
  const context = contextOf({ staticData, request: { body, rawBody, headers } });
  return { result: await wooCommerceTrigger.webhook?.(context), responses: context.responses };
}

describe('an event', () => {
  test('starts an execution each time: its delivery ID is the same as that of other events in the second', async () => {
    expect((await received(signature('s'))).result).toEqual({ workflowData: [[{ json: body }]] });
  });

  test.each<[string, string | undefined, JsonObject]>([
    ['a signature with another secret', signature('x'), { secret: 's' }],
    ['no signature', undefined, { secret: 's' }],
    ['a signature with the empty secret, if no secret is known', signature(''), {}],
  ])('with %s is refused', async (_, signatureHeader, staticData) => {
    const { result, responses } = await received(signatureHeader, staticData);
    expect([result, responses]).toMatchObject([{ noWebhookResponse: true }, [{ status: 401 }]]);
  });

  test('with another topic starts no execution', async () => {
    expect((await received(signature('s'), { secret: 's' }, 'order.updated')).result).toEqual({});
  });
});

test.each<[JsonObject, boolean]>([
  [{ webhook_id: '11' }, true],
  [{ webhook_id: '11', id: 450 }, false],
  [{}, false],
])('an unsigned request with %j is a test of the shop: %s', async (sent, isTest) => {
  const context = contextOf({ staticData: { secret: 's' }, request: { body: sent, rawBody: Buffer.from('x'), headers: {} } });
  expect(await wooCommerceTrigger.webhook?.(context)).toEqual(isTest ? {} : { noWebhookResponse: true });
  expect(context.responses).toHaveLength(isTest ? 0 : 1);
});
