import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue, WebhookMethods } from '@sluice/node-sdk';
import type { ApiServer } from '../../testing/api-server.ts';
import { type FakeWebhook, webhookContext } from '../../testing/webhook-context.ts';
import { example } from './cal-trigger.example.ts';
import { calTrigger } from './cal-trigger.ts';
import { calServer } from './testing/cal-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await calServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const methods = calTrigger.webhookMethods?.['default'] as WebhookMethods;
const contextOf = (webhook: FakeWebhook = {}) =>
  webhookContext({
    http: server.http,
    credentials: { calApi: { apiKey: 'cal_1' } },
    parameters: example.parameters,
    ...webhook,
  });
const withOptions = (options: JsonObject) => ({ ...example.parameters, options });
const has = (...data: JsonObject[]) => server.on('GET /v2/webhooks', () => ({ json: { status: 'success', data } }));
const requests = () => server.received.map(({ method, url }) => `${method} ${url}`);
const registration = { webhookId: 'w1', secret: 's', path: '/webhooks' };

describe('registration', () => {
  test('has a secret', async () => {
    const context = contextOf();
    expect(await methods.create(context)).toBe(true);
    const { secret, ...more } = context.staticData;
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(more).toEqual({ webhookId: 'w1', path: '/webhooks' });
    expect(JSON.parse(server.received.at(-1)?.body.toString() ?? '')).toEqual({
      active: true,
      subscriberUrl: context.webhookUrl(),
      triggers: ['BOOKING_CREATED'],
      secret,
    });
  });

  test('replaces the known webhook of an event type', async () => {
    const parameters = withOptions({ eventTypeId: 7, payloadTemplate: '{"a":"{{title}}"}' });
    const context = contextOf({ parameters, staticData: { ...registration } });
    server.on('DELETE /v2/webhooks/:id', () => ({ status: 404 }));
    await methods.create(context);
    expect(requests()).toEqual([
      'GET /v2/event-types/7/webhooks?take=250&skip=0',
      'DELETE /v2/webhooks/w1',
      'POST /v2/event-types/7/webhooks',
    ]);
    expect(context.staticData['path']).toBe('/event-types/7/webhooks');
    expect(JSON.parse(server.received.at(-1)?.body.toString() ?? '')).toMatchObject({ payloadTemplate: '{"a":"{{title}}"}' });
  });

  test('exists if Cal.com has it, active, for the same events and template, and this workflow has its secret', async () => {
    const context = contextOf({ staticData: { ...registration } });
    const one = { id: 'w1', subscriberUrl: context.webhookUrl(), active: true, triggers: ['BOOKING_CREATED'] };
    for (const [change, exists] of [
      [{ id: 'w2' }, false],
      [{ active: false }, false],
      [{ triggers: ['MEETING_ENDED'] }, false],
      [{ payloadTemplate: '{}' }, false],
      [{}, true],
    ] as const) {
      has({ ...one, ...(change as JsonObject) });
      expect(await methods.checkExists(context)).toBe(exists);
    }
    expect(await methods.checkExists(contextOf())).toBe(false);
  });

  test('is found for removal even if it was changed or its data is lost', async () => {
    has({ id: 'w9', subscriberUrl: 'https://other.example/' });
    expect(await methods.checkAddress?.(contextOf())).toBe(false);
    has({ id: 'w1', subscriberUrl: contextOf().webhookUrl(), active: false });
    expect(await methods.checkAddress?.(contextOf())).toBe(true);
    expect(await methods.checkExists(contextOf())).toBe(false);
  });

  test('is removed from all pages, and other webhooks are kept', async () => {
    const context = contextOf({ staticData: { ...registration } });
    const others = Array.from({ length: 250 }, (_, id) => ({ id: `o${id}`, subscriberUrl: 'https://other.example/' }));
    server.on('GET /v2/webhooks', ({ query }) => ({
      json: { data: query['skip'] === '0' ? others : [{ id: 'w5', subscriberUrl: context.webhookUrl() }] },
    }));
    expect([await methods.delete(context), context.staticData]).toEqual([true, {}]);
    expect(requests().slice(2)).toEqual(['DELETE /v2/webhooks/w5', 'DELETE /v2/webhooks/w1']);
  });

  test('fails with the message from Cal.com', async () => {
    server.on('POST /v2/webhooks', () => ({
      status: 400,
      json: { status: 'error', error: { code: 'BadRequestException', message: 'triggers must be an array' } },
    }));
    await expect(methods.create(contextOf())).rejects.toThrow('Cal.com: triggers must be an array (BadRequestException)');
  });

  test('waits until the rate limit resets', async () => {
    server.on('POST /v2/webhooks', ({ count }) =>
      count === 1 ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : { json: { data: { id: 5 } } },
    );
    const context = contextOf();
    expect(await methods.create(context)).toBe(true);
    expect(context.staticData['webhookId']).toBe('5');
  });
});

const item = example.outputs?.[0]?.[0] as JsonObject;
const { triggerEvent = null, createdAt = null, ...payload } = item;
const whole: JsonObject = { triggerEvent, createdAt, payload };
const signatureOf = (secret: string, body: JsonValue = whole) =>
  createHmac('sha256', secret).update(JSON.stringify(body)).digest('hex');

async function received(signature: string | undefined, webhook: FakeWebhook = {}, body = whole) {
  const headers = signature === undefined ? {} : { 'x-cal-signature-256': signature };
  const request = { body, rawBody: Buffer.from(JSON.stringify(body)), headers };
  const context = contextOf({ staticData: { ...registration }, ...webhook, request });
  return { result: await calTrigger.webhook?.(context), responses: context.responses };
}

describe('an event', () => {
  test.each<[JsonObject, JsonObject, string | undefined]>([
    [whole, item, 'BOOKING_CREATED 2026-01-31T12:00:00.000Z b1'],
    [{ a: 'Call' }, { a: 'Call' }, undefined],
    [{ triggerEvent: 'BOOKING_CREATED', payload: 'x' }, { triggerEvent: 'BOOKING_CREATED', payload: 'x' }, undefined],
  ])('%j starts an execution', async (body, json, deliveryId) => {
    expect((await received(signatureOf('s', body), {}, body)).result).toEqual({ workflowData: [[{ json }]], deliveryId });
  });

  test.each<[string, string | undefined, JsonObject]>([
    ['a signature with another secret', signatureOf('x'), registration],
    ['no signature', undefined, registration],
    ['a signature with the empty secret, if no secret is known', signatureOf(''), {}],
  ])('with %s is refused', async (_, signature, staticData) => {
    const { result, responses } = await received(signature, { staticData });
    expect([result, responses]).toMatchObject([{ noWebhookResponse: true }, [{ status: 401 }]]);
  });

  test('of a type that the author did not select starts no execution', async () => {
    const parameters = { events: ['MEETING_ENDED'], options: {} };
    expect((await received(signatureOf('s'), { parameters })).result).toEqual({});
  });
});

test('event types can be chosen', async () => {
  const options = await calTrigger.methods?.loadOptions?.['getEventTypes']?.(contextOf());
  expect(options).toEqual([{ name: 'Call', value: '7' }]);
});

test('another host in the credential is used', async () => {
  const own = await calServer('https://cal.example.com');
  const credentials = { calApi: { apiKey: 'cal_1', host: 'https://cal.example.com/' } };
  await methods.create(contextOf({ http: own.http, credentials }));
  own.verify();
  await own.close();
});
