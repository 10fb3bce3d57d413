import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject, WebhookMethods } from '@sluice/node-sdk';
import type { ApiServer } from '../../testing/api-server.ts';
import { type FakeWebhook, webhookContext } from '../../testing/webhook-context.ts';
import { example } from './stripe-trigger.example.ts';
import { stripeTrigger } from './stripe-trigger.ts';
import { stripeServer } from './testing/stripe-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await stripeServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const methods = stripeTrigger.webhookMethods?.['default'] as WebhookMethods;
const contextOf = (webhook: FakeWebhook = {}) =>
  webhookContext({
    http: server.http,
    credentials: { stripeApi: { secretKey: 'sk_test_1' } },
    parameters: example.parameters,
    ...webhook,
  });
const has = (...data: JsonObject[]) => server.on('GET /v1/webhook_endpoints', () => ({ json: { has_more: false, data } }));
const requests = () => server.received.map(({ method, url }) => `${method} ${url}`);
const registration = { endpointId: 'we_1', secret: 's' };
const events = ['checkout.session.completed'];

describe('registration', () => {
  test('stores the secret from Stripe', async () => {
    const context = contextOf({ parameters: { ...example.parameters, apiVersion: '2024-06-20' } });
    expect([await methods.create(context), context.staticData]).toEqual([true, { endpointId: 'we_1', secret: 'whsec_1' }]);
    expect(Object.fromEntries(new URLSearchParams(server.received.at(-1)?.body.toString()))).toEqual({
      url: context.webhookUrl(),
      'enabled_events[0]': 'checkout.session.completed',
      api_version: '2024-06-20',
      description: 'Workflow w',
    });
  });

  test('replaces only a webhook whose secret is lost', async () => {
    const context = contextOf({ parameters: { events: ['invoice.paid', '*'] } });
    has({ id: 'we_0', url: context.webhookUrl() }, { id: 'we_9', url: 'https://other.example/' });
    await methods.create(context);
    expect(requests()).toEqual([
      'GET /v1/webhook_endpoints?limit=100',
      'DELETE /v1/webhook_endpoints/we_0',
      'POST /v1/webhook_endpoints',
    ]);
    expect(new URLSearchParams(server.received.at(-1)?.body.toString()).get('enabled_events[0]')).toBe('*');
  });

  test('exists if Stripe has it, enabled, for the same events, and this workflow has its secret', async () => {
    const context = contextOf({ staticData: { ...registration } });
    const url = context.webhookUrl();
    for (const [endpoints, exists] of [
      [[], false],
      [[{ id: 'we_1', url, status: 'disabled', enabled_events: events }], false],
      [[{ id: 'we_1', url, status: 'enabled', enabled_events: ['*'] }], false],
      [[{ id: 'we_2', url, status: 'enabled', enabled_events: events }], false],
      [[{ id: 'we_1', url, status: 'enabled', enabled_events: events }], true],
    ] as const) {
      has(...(endpoints as unknown as JsonObject[]));
      expect(await methods.checkExists(context)).toBe(exists);
    }
    expect(await methods.checkExists(contextOf())).toBe(false);
  });

  test('is found for removal even if it was changed or its data is lost', async () => {
    has({ id: 'we_9', url: 'https://other.example/' });
    expect(await methods.checkAddress?.(contextOf())).toBe(false);
    has({ id: 'we_1', url: contextOf().webhookUrl(), status: 'disabled' });
    expect(await methods.checkAddress?.(contextOf())).toBe(true);
    expect(await methods.checkExists(contextOf())).toBe(false);
  });

  test('is removed, and other webhooks are kept', async () => {
    const context = contextOf({ staticData: { ...registration } });
    has({ id: 'we_1', url: context.webhookUrl() }, { id: 'we_9', url: 'https://other.example/' });
    expect([await methods.delete(context), context.staticData]).toEqual([true, {}]);
    expect(requests().slice(1)).toEqual(['DELETE /v1/webhook_endpoints/we_1']);
  });

  test('fails with the message from Stripe', async () => {
    server.on('POST /v1/webhook_endpoints', () => ({
      status: 400,
      json: { error: { code: 'url_invalid', message: 'Not a valid URL' } },
    }));
    await expect(methods.create(contextOf())).rejects.toThrow('Stripe: Not a valid URL (url_invalid)');
  });
});

const body = example.outputs?.[0]?.[0] as JsonObject;
const rawBody = Buffer.from(JSON.stringify(body));
const now = () => Math.floor(Date.now() / 1_000);
const signatureOf = (secret: string, time = now()) => createHmac('sha256', secret).update(`${time}.${rawBody}`).digest('hex');
const signed = (secret: string, time = now()) => `t=${time},v1=${signatureOf(secret, time)},v0=abc`;

async function received(signature: string | undefined, webhook: FakeWebhook = {}) {
  const headers = signature === undefined ? {} : { 'stripe-signature': signature };
  const context = contextOf({ staticData: { ...registration }, ...webhook, request: { body, rawBody, headers } });
  return { result: await stripeTrigger.webhook?.(context), responses: context.responses };
}

describe('an event', () => {
  test.each<[string, string]>([
    ['a signature', signed('s')],
    ['signatures with two secrets', `t=${now()},v1=${signatureOf('old')},v1=${signatureOf('s')}`],
  ])('with %s starts an execution', async (_, signature) => {
    expect((await received(signature)).result).toEqual({ workflowData: [[{ json: body }]], deliveryId: 'evt_1' });
  });

  test.each<[string, string | undefined, JsonObject]>([
    ['a signature with another secret', signed('x'), registration],
    ['a signature with an earlier time', signed('s', now() - 600), registration],
    ['a time that was not signed', `t=${now() + 1},v1=${signatureOf('s', now())}`, registration],
    ['a signature without a time', `v1=${signatureOf('s')}`, registration],
    ['no signature', undefined, registration],
    ['a signature with the empty secret, if no secret is known', signed(''), {}],
  ])('with %s is refused', async (_, signature, staticData) => {
    const { result, responses } = await received(signature, { staticData });
    expect([result, responses]).toMatchObject([{ noWebhookResponse: true }, [{ status: 401 }]]);
  });

  test.each<[string[], boolean]>([
    [['*'], true],
    [['invoice.paid'], false],
  ])('starts an execution if the selected types are %j: %j', async (chosen, starts) => {
    const { result } = await received(signed('s'), { parameters: { events: chosen } });
    expect(result).toEqual(starts ? { workflowData: [[{ json: body }]], deliveryId: 'evt_1' } : {});
  });
});
