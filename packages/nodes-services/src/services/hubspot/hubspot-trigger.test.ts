import { createHash, createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue, WebhookMethods } from '@sluice/node-sdk';
import type { ApiServer } from '../../testing/api-server.ts';
import { type FakeWebhook, webhookContext } from '../../testing/webhook-context.ts';
import { example } from './hubspot-trigger.example.ts';
import { hubspotTrigger } from './hubspot-trigger.ts';
import { hubspotWebhookServer } from './testing/hubspot-webhook-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await hubspotWebhookServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const methods = hubspotTrigger.webhookMethods?.['default'] as WebhookMethods;
const contextOf = (webhook: FakeWebhook = {}) =>
  webhookContext({
    http: server.http,
    credentials: { hubspotDeveloperApi: { apiKey: 'key1', appId: '42', clientId: 'c', clientSecret: 's' } },
    parameters: example.parameters,
    ...webhook,
  });
const url = 'https://me.example/webhook/w/node/webhook';
const app = '/webhooks/v3/42';
const hasTarget = (targetUrl: string) => server.on(`GET ${app}/settings`, () => ({ json: { targetUrl } }));
const has = (...results: JsonObject[]) => server.on(`GET ${app}/subscriptions`, () => ({ json: { results } }));
const sent = () =>
  server.received
    .filter(({ method }) => method !== 'GET')
    .map(({ method, url: address, body }): JsonValue[] => [
      `${method} ${address.replace(app, '').replace('?hapikey=key1', '')}`,
      body.length > 0 ? JSON.parse(body.toString()) : null,
    ]);
const settings = (max: number) => ({ targetUrl: url, throttling: { maxConcurrentRequests: max, period: 'SECONDLY' } });
const contact = { eventType: 'contact.creation', active: true };
const deal = { eventType: 'deal.propertyChange', propertyName: 'dealstage', active: true };

describe('registration', () => {
  test('has the address and the events', async () => {
    expect(await methods.create(contextOf())).toBe(true);
    expect(sent()).toEqual([
      ['PUT /settings', settings(10)],
      ['POST /subscriptions', contact],
      ['POST /subscriptions', deal],
    ]);
  });

  test('replaces other events for our address', async () => {
    hasTarget(url);
    has({ id: '7', ...contact });
    const eventsUi = { eventValues: [{ name: 'company.merge', property: 'x' }, { name: 'company.merge' }] };
    await methods.create(contextOf({ parameters: { eventsUi, additionalFields: { maxConcurrentRequests: 20 } } }));
    expect(sent()).toEqual([
      ['DELETE /subscriptions/7', null],
      ['PUT /settings', settings(20)],
      ['POST /subscriptions', { eventType: 'company.merge', active: true }],
    ]);
  });

  test.each<[string, string, JsonObject]>([
    ['the app already sends its events to another URL', 'https://other.example/', example.parameters],
    ['the event "deal.propertyChange" needs a property', '', { eventsUi: { eventValues: [{ name: 'deal.propertyChange' }] } }],
    ['no event is chosen', '', {}],
  ])('changes nothing: %s', async (message, target, parameters) => {
    if (target !== '') hasTarget(target);
    await expect(methods.create(contextOf({ parameters }))).rejects.toThrow(message);
    expect(sent()).toEqual([]);
  });

  test.each<[string, JsonObject[], boolean]>([
    ['https://other.example/', [contact, deal], false],
    [url, [contact], false],
    [url, [contact, { ...deal, active: false }], false],
    [url, [contact, { ...deal, propertyName: 'amount' }], false],
    [url, [deal, contact], true],
  ])('with the address %s and the events %j exists: %j', async (target, results, exists) => {
    hasTarget(target);
    has(...results);
    expect(await methods.checkExists(contextOf())).toBe(exists);
  });

  test('is found for removal even if it was changed or its data is lost', async () => {
    hasTarget('https://other.example/');
    expect(await methods.checkAddress?.(contextOf())).toBe(false);
    hasTarget(url);
    expect(await methods.checkAddress?.(contextOf())).toBe(true);
    expect(await methods.checkExists(contextOf())).toBe(false);
  });

  test('is removed', async () => {
    hasTarget(url);
    has({ id: '7', ...contact });
    expect(await methods.delete(contextOf())).toBe(true);
    expect(sent()).toEqual([
      ['DELETE /subscriptions/7', null],
      ['DELETE /settings', null],
    ]);
  });

  test('for another address is kept', async () => {
    hasTarget('https://other.example/');
    expect(await methods.delete(contextOf())).toBe(true);
    expect(sent()).toEqual([]);
  });

  test('fails with the message from HubSpot', async () => {
    server.on(`PUT ${app}/settings`, () => ({ status: 400, json: { message: 'Invalid URL', category: 'VALIDATION_ERROR' } }));
    await expect(methods.create(contextOf())).rejects.toThrow('HubSpot: Invalid URL (VALIDATION_ERROR)');
  });
});

const items = (example.outputs?.[0] ?? []) as JsonObject[];
const body = items.map(({ contactId: _c, dealId: _d, ...event }) => event);
const rawBody = Buffer.from(JSON.stringify(body));
const now = () => Date.now();
const third = (secret: string, time = now(), address = url, signed = rawBody): JsonObject => ({
  'x-hubspot-request-timestamp': String(time),
  'x-hubspot-signature-v3': createHmac('sha256', secret).update(`POST${address}${signed}${time}`).digest('base64'),
});
const first = (secret: string): JsonObject => ({
  'x-hubspot-signature': createHash('sha256').update(`${secret}${rawBody}`).digest('hex'),
});

async function received(headers: JsonObject) {
  const context = contextOf({ request: { body, rawBody, headers } });
  return { result: await hubspotTrigger.webhook?.(context), responses: context.responses };
}

describe('a request', () => {
  test('with a version 3 signature starts an execution with its events', async () => {
    expect((await received({ ...third('s'), 'x-hubspot-signature': 'other' })).result).toEqual({
      workflowData: [items.map((json) => ({ json }))],
      deliveryId: expect.any(String),
    });
  });

  test('that HubSpot repeats has the ID of the first one, unless an event has no ID', async () => {
    const idOf = async (...events: JsonObject[]) => {
      const sentBody = Buffer.from(JSON.stringify(events));
      const context = contextOf({ request: { body: events, rawBody: sentBody, headers: third('s', now(), url, sentBody) } });
      const result = await hubspotTrigger.webhook?.(context);
      return result && 'deliveryId' in result ? result.deliveryId : undefined;
    };
    const event = { eventId: 1, subscriptionId: 2, portalId: 6, objectId: 3, occurredAt: 4, attemptNumber: 0 };
    const first = await idOf(event);
    expect(first).toBeDefined();
    expect(await idOf({ ...event, attemptNumber: 1 })).toBe(first);
    for (const name of ['eventId', 'subscriptionId', 'portalId', 'objectId', 'occurredAt'])
      expect([name, await idOf({ ...event, [name]: 9 })]).not.toEqual([name, first]);
    expect(await idOf(event, { objectId: 3 })).toBeUndefined();
  });

  test.each<[string, JsonObject]>([
    ['a signature with another secret', third('x')],
    ['a signature with an earlier time', third('s', now() - 600_000)],
    ['a signature for another URL', third('s', now(), 'https://other.example/')],
    ['an invalid version 3 signature and a valid version 1 signature', { ...third('x'), ...first('s') }],
    ['a version 1 signature, which covers neither the time nor the URL', first('s')],
    ['no signature', {}],
  ])('with %s is refused', async (_, headers) => {
    const { result, responses } = await received(headers);
    expect([result, responses]).toMatchObject([{ noWebhookResponse: true }, [{ status: 401 }]]);
  });
});
