import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject, WebhookMethods } from '@sluice/node-sdk';
import type { ApiServer } from '../../testing/api-server.ts';
import { type FakeWebhook, webhookContext } from '../../testing/webhook-context.ts';
import { example } from './calendly-trigger.example.ts';
import { calendlyTrigger } from './calendly-trigger.ts';
import { calendlyServer } from './testing/calendly-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await calendlyServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const methods = calendlyTrigger.webhookMethods?.['default'] as WebhookMethods;
const byApp = { ...example.parameters, authentication: 'oAuth2' };
const oAuth2 = { oauthTokenData: { access_token: 't1' } };
const contextOf = (webhook: FakeWebhook = {}) =>
  webhookContext({
    http: server.http,
    credentials: { calendlyApi: { apiKey: 't1' }, calendlyOAuth2Api: { ...oAuth2, signingKey: 'app' } },
    parameters: example.parameters,
    ...webhook,
  });
const uri = (id: string) => `https://api.calendly.com/webhook_subscriptions/${id}`;
const has = (...collection: JsonObject[]) =>
  server.on('GET /webhook_subscriptions', () => ({ json: { collection, pagination: {} } }));
const requests = () => server.received.map(({ method, url }) => `${method} ${url.split('?')[0]}`);
const registration = { subscription: uri('W1'), secret: 's' };

describe('registration', () => {
  test('has a signing key', async () => {
    const context = contextOf();
    expect(await methods.create(context)).toBe(true);
    const { secret, subscription } = context.staticData;
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(subscription).toBe(uri('W1'));
    expect(JSON.parse(server.received.at(-1)?.body.toString() ?? '')).toEqual({
      url: context.webhookUrl(),
      events: ['invitee.created'],
      scope: 'user',
      organization: 'https://api.calendly.com/organizations/O1',
      user: 'https://api.calendly.com/users/U1',
      signing_key: secret,
    });
  });

  test('has no user if it is for an organization', async () => {
    await methods.create(contextOf({ parameters: { ...example.parameters, scope: 'organization' } }));
    expect(JSON.parse(server.received.at(-1)?.body.toString() ?? '')).not.toHaveProperty('user');
  });

  test('by an OAuth app uses the signing key of the app, which must be configured', async () => {
    const context = contextOf({ parameters: byApp });
    expect([await methods.create(context), context.staticData]).toEqual([true, { subscription: uri('W1') }]);
    expect(JSON.parse(server.received.at(-1)?.body.toString() ?? '')).not.toHaveProperty('signing_key');
    const without = contextOf({ parameters: byApp, credentials: { calendlyOAuth2Api: oAuth2 } });
    await expect(methods.create(without)).rejects.toThrow('the credential has no webhook signing key');
  });

  test('replaces only the known webhook and the webhooks with our address, on all pages', async () => {
    const context = contextOf({ staticData: { subscription: uri('W7') } });
    server.on('GET /webhook_subscriptions', ({ query }) => ({
      json:
        query['page_token'] === 'p2'
          ? { collection: [{ uri: uri('W2'), callback_url: context.webhookUrl() }], pagination: {} }
          : {
              collection: [{ uri: uri('W9'), callback_url: 'https://other.example/' }],
              pagination: { next_page_token: 'p2' },
            },
    }));
    server.on('DELETE /webhook_subscriptions/:id', ({ params }) => ({ status: params['id'] === 'W7' ? 404 : 204 }));
    await methods.create(context);
    expect(requests().slice(3)).toEqual([
      'DELETE /webhook_subscriptions/W2',
      'DELETE /webhook_subscriptions/W7',
      'POST /webhook_subscriptions',
    ]);
  });

  test('exists if Calendly has it, active, for the same scope and events, and this workflow has its key', async () => {
    const context = contextOf({ staticData: { ...registration } });
    const one = {
      uri: uri('W1'),
      callback_url: context.webhookUrl(),
      state: 'active',
      scope: 'user',
      events: ['invitee.created'],
    };
    for (const [change, exists] of [
      [{ uri: uri('W2') }, false],
      [{ state: 'disabled' }, false],
      [{ scope: 'organization' }, false],
      [{ events: ['invitee.created', 'invitee.canceled'] }, false],
      [{}, true],
    ] as const) {
      has({ ...one, ...(change as JsonObject) });
      expect(await methods.checkExists(context)).toBe(exists);
    }
    expect(await methods.checkExists(contextOf({ staticData: { subscription: uri('W1') } }))).toBe(false);
    const app = contextOf({ parameters: byApp, staticData: { subscription: uri('W1') } });
    expect(await methods.checkExists(app)).toBe(true);
  });

  test('is found for removal even if it was changed or its data is lost', async () => {
    has({ uri: uri('W9'), callback_url: 'https://other.example/' });
    expect(await methods.checkAddress?.(contextOf())).toBe(false);
    has({ uri: uri('W1'), callback_url: contextOf().webhookUrl(), state: 'disabled' });
    expect(await methods.checkAddress?.(contextOf())).toBe(true);
    expect(await methods.checkExists(contextOf())).toBe(false);
  });

  test('is removed', async () => {
    const context = contextOf({ staticData: { ...registration } });
    has({ uri: uri('W1'), callback_url: context.webhookUrl() });
    expect([await methods.delete(context), context.staticData]).toEqual([true, {}]);
    expect(requests().slice(2)).toEqual(['DELETE /webhook_subscriptions/W1']);
  });

  test('fails with the message from Calendly, and a hint', async () => {
    server.on('POST /webhook_subscriptions', () => ({
      status: 403,
      json: { title: 'Permission Denied', message: 'Please upgrade your Calendly account to Standard' },
    }));
    await expect(methods.create(contextOf())).rejects.toMatchObject({
      message: 'Calendly: Please upgrade your Calendly account to Standard (Permission Denied)',
      description: expect.stringContaining('paid plan'),
    });
  });

  test('waits until the rate limit resets', async () => {
    server.on('POST /webhook_subscriptions', ({ count }) =>
      count === 1
        ? { status: 429, headers: { 'retry-after': '0' }, json: {} }
        : { status: 201, json: { resource: { uri: uri('W3') } } },
    );
    const context = contextOf();
    expect(await methods.create(context)).toBe(true);
    expect(context.staticData['subscription']).toBe(uri('W3'));
  });
});

const body = example.outputs?.[0]?.[0] as JsonObject;
const rawBody = Buffer.from(JSON.stringify(body));
const now = () => Math.floor(Date.now() / 1_000);
const signatureOf = (secret: string, time: number) => createHmac('sha256', secret).update(`${time}.${rawBody}`).digest('hex');
const signed = (secret: string, time = now()) => `t=${time},v1=${signatureOf(secret, time)}`;

async function received(signature: string | undefined, webhook: FakeWebhook = {}) {
  const headers = signature === undefined ? {} : { 'calendly-webhook-signature': signature };
  const context = contextOf({ staticData: { ...registration }, ...webhook, request: { body, rawBody, headers } });
  return { result: await calendlyTrigger.webhook?.(context), responses: context.responses };
}

describe('an event', () => {
  test('with a valid signature starts an execution, including the signature of an OAuth app', async () => {
    const uri = 'https://api.calendly.com/scheduled_events/E1/invitees/I1';
    const deliveryId = `invitee.created 2026-01-31T12:00:00.000000Z ${uri}`;
    const started = { workflowData: [[{ json: body }]], deliveryId };
    expect((await received(signed('s'))).result).toEqual(started);
    expect((await received(signed('app'), { parameters: byApp })).result).toEqual(started);
  });

  test.each<[string, string | undefined, JsonObject, JsonObject]>([
    ['a signature with another secret', signed('x'), registration, {}],
    ['the subscription’s signature instead of the app’s signature', signed('s'), registration, byApp],
    ['a signature with an earlier time', signed('s', now() - 200), registration, {}],
    ['a time that was not signed', `t=${now() + 1},v1=${signatureOf('s', now())}`, registration, {}],
    ['no signature', undefined, registration, {}],
    ['a signature with the empty secret, if no secret is known', signed(''), {}, {}],
  ])('with %s is refused', async (_, signature, staticData, parameters) => {
    const { result, responses } = await received(signature, {
      staticData,
      parameters: { ...example.parameters, ...parameters },
    });
    expect([result, responses]).toMatchObject([{ noWebhookResponse: true }, [{ status: 401 }]]);
  });

  test('of a type that the author did not select starts no execution', async () => {
    const { result } = await received(signed('s'), { parameters: { events: ['invitee.canceled'] } });
    expect(result).toEqual({});
  });
});
