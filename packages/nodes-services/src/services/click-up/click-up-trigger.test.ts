import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject, WebhookMethods } from '@sluice/node-sdk';
import type { ApiServer } from '../../testing/api-server.ts';
import { type FakeWebhook, webhookContext } from '../../testing/webhook-context.ts';
import { example } from './click-up-trigger.example.ts';
import { clickUpTrigger } from './click-up-trigger.ts';
import { clickUpServer } from './testing/click-up-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await clickUpServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const methods = clickUpTrigger.webhookMethods?.['default'] as WebhookMethods;
const contextOf = (webhook: FakeWebhook = {}) =>
  webhookContext({
    http: server.http,
    credentials: { clickUpApi: { accessToken: 'pk1' } },
    parameters: example.parameters,
    ...webhook,
  });
const has = (...webhooks: JsonObject[]) => server.on('GET /api/v2/team/:team/webhook', () => ({ json: { webhooks } }));
const requests = () => server.received.map(({ method, url }) => `${method} ${url.replace('/api/v2', '')}`);
const bodyOf = () => JSON.parse(server.received.at(-1)?.body.toString() ?? '');
const registration = { webhook: 'wh1', secret: 's' };

describe('registration', () => {
  test('keeps the ID and the secret', async () => {
    const context = contextOf();
    expect(await methods.create(context)).toBe(true);
    expect(context.staticData).toEqual(registration);
    expect(bodyOf()).toEqual({
      endpoint: context.webhookUrl(),
      events: ['taskCreated', 'taskStatusUpdated'],
      list_id: 'l1',
    });
    expect(requests()).toEqual(['GET /team/w1/webhook', 'POST /team/w1/webhook']);
  });

  test('of all events names no others', async () => {
    await methods.create(contextOf({ parameters: { team: 'w1', events: ['taskCreated', '*'] } }));
    expect(bodyOf()).toEqual({ endpoint: contextOf().webhookUrl(), events: ['*'] });
  });

  test('without a team is refused', async () => {
    await expect(methods.create(contextOf({ parameters: { events: ['*'] } }))).rejects.toThrow(
      'the parameter "team" is required',
    );
    expect(server.received).toEqual([]);
  });

  test('replaces only the known webhook and the webhooks with our address', async () => {
    const context = contextOf({ staticData: { webhook: 'wh7' } });
    has({ id: 'wh9', endpoint: 'https://other.example/' }, { id: 'wh2', endpoint: context.webhookUrl() });
    server.on('DELETE /api/v2/webhook/:id', ({ params }) => ({ status: params['id'] === 'wh7' ? 404 : 200, json: {} }));
    await methods.create(context);
    expect(requests().slice(1)).toEqual(['DELETE /webhook/wh2', 'DELETE /webhook/wh7', 'POST /team/w1/webhook']);
  });

  test('exists if ClickUp has it, not suspended, for the same events and place', async () => {
    const context = contextOf({ staticData: { ...registration } });
    const one = {
      id: 'wh1',
      endpoint: context.webhookUrl(),
      events: ['taskStatusUpdated', 'taskCreated'],
      list_id: 'l1',
      space_id: null,
      health: { status: 'active', fail_count: 0 },
    };
    for (const [change, exists] of [
      [{ id: 'wh2' }, false],
      [{ health: { status: 'suspended' } }, false],
      [{ events: ['taskCreated'] }, false],
      [{ list_id: 'l2' }, false],
      [{ space_id: 's1' }, false],
      [{ list_id: 'l1' }, true],
    ] as const) {
      has({ ...one, ...(change as JsonObject) });
      expect(await methods.checkExists(context)).toBe(exists);
    }
    expect(await methods.checkExists(contextOf({ staticData: { webhook: 'wh1' } }))).toBe(false);
    const all = contextOf({ staticData: { ...registration }, parameters: { team: 'w1', events: ['*'] } });
    has({ ...one, list_id: null, events: ['*'] });
    expect(await methods.checkExists(all)).toBe(true);
  });

  test('is found for removal even if it was changed, and removed', async () => {
    has({ id: 'wh9', endpoint: 'https://other.example/' });
    expect(await methods.checkAddress?.(contextOf())).toBe(false);
    has({ id: 'wh1', endpoint: contextOf().webhookUrl(), health: { status: 'suspended' } });
    expect(await methods.checkAddress?.(contextOf())).toBe(true);
    const context = contextOf({ staticData: { ...registration } });
    expect(await methods.delete(context)).toBe(true);
    expect(context.staticData).toEqual({});
    expect(requests().at(-1)).toBe('DELETE /webhook/wh1');
  });
});

describe('a request', () => {
  const body = example.outputs?.[0]?.[0] as JsonObject;
  const rawBody = Buffer.from(JSON.stringify(body));
  const received = async (secret: string | undefined, staticData: JsonObject = registration) => {
    const signature = secret === undefined ? {} : { 'x-signature': createHmac('sha256', secret).update(rawBody).digest('hex') };
    const context = contextOf({ staticData, request: { body, rawBody, headers: signature } });
    return { result: await clickUpTrigger.webhook?.(context), responses: context.responses };
  };

  test('with the signature of the webhook starts an execution, once', async () => {
    expect((await received('s')).result).toEqual({ workflowData: [[{ json: body }]], deliveryId: 'wh1 taskCreated h1' });
  });

  test.each<[string, string | undefined, JsonObject]>([
    ['a signature with another secret', 'x', registration],
    ['no signature', undefined, registration],
    ['a signature with the empty secret, if no secret is known', '', {}],
  ])('with %s is refused', async (_, secret, staticData) => {
    const { result, responses } = await received(secret, staticData);
    expect([result, responses]).toMatchObject([{ noWebhookResponse: true }, [{ status: 401 }]]);
  });
});

test('editors choose a team', async () => {
  expect(await clickUpTrigger.methods?.loadOptions?.['getTeams']?.(contextOf())).toEqual([
    { name: 'One', value: '1' },
    { name: 'Two', value: '2' },
  ]);
});
