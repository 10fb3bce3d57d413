import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject, WebhookMethods } from '@sluice/node-sdk';
import type { ApiServer } from '../../testing/api-server.ts';
import { type FakeWebhook, webhookContext } from '../../testing/webhook-context.ts';
import { example } from './github-trigger.example.ts';
import { githubTrigger } from './github-trigger.ts';
import { githubServer } from './testing/github-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await githubServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const methods = githubTrigger.webhookMethods?.['default'] as WebhookMethods;
const contextOf = (webhook: FakeWebhook = {}) =>
  webhookContext({
    http: server.http,
    credentials: { githubApi: { accessToken: 'ghp1' } },
    parameters: example.parameters,
    ...webhook,
  });
const hooks = '/repos/acme/app/hooks';
const hasHooks = (...urls: string[]) =>
  server.on('GET /repos/:owner/:repo/hooks', () => ({ json: urls.map((url, id) => ({ id: id + 1, config: { url } })) }));
const requests = () => server.received.map(({ method, url }) => `${method} ${url}`);
const other = 'https://other.example/';

describe('registration', () => {
  test('has a secret', async () => {
    const context = contextOf();
    expect(await methods.create(context)).toBe(true);
    const { secret, hookId } = context.staticData;
    expect([hookId, secret]).toEqual([77, expect.stringMatching(/^[\w-]{43}$/)]);
    expect(JSON.parse(server.received.at(-1)?.body.toString() ?? '')).toEqual({
      name: 'web',
      active: true,
      events: ['push'],
      config: { url: context.webhookUrl(), content_type: 'json', insecure_ssl: '0', secret },
    });
  });

  test('replaces only a webhook whose secret is lost', async () => {
    const context = contextOf({ parameters: { ...example.parameters, events: ['*', 'push'], options: { insecureSSL: true } } });
    hasHooks(context.webhookUrl(), other);
    await methods.create(context);
    expect(requests()).toEqual([`GET ${hooks}?per_page=100`, `DELETE ${hooks}/1`, `POST ${hooks}`]);
    expect(JSON.parse(server.received.at(-1)?.body.toString() ?? '')).toMatchObject({
      events: ['*'],
      config: { insecure_ssl: '1' },
    });
  });

  test('exists if GitHub has it, and this workflow has its secret', async () => {
    const context = contextOf({ staticData: { hookId: 1, secret: 's' } });
    expect(await methods.checkExists(context)).toBe(false);
    hasHooks(context.webhookUrl());
    expect(await methods.checkExists(context)).toBe(true);
    expect(await methods.checkExists(contextOf())).toBe(false);
  });

  test('is found for removal even if it was changed or its data is lost', async () => {
    hasHooks(other);
    expect(await methods.checkAddress?.(contextOf())).toBe(false);
    hasHooks(contextOf().webhookUrl());
    expect(await methods.checkAddress?.(contextOf())).toBe(true);
    expect(await methods.checkExists(contextOf())).toBe(false);
  });

  test('is removed', async () => {
    const context = contextOf({ staticData: { hookId: 1, secret: 's' } });
    hasHooks(context.webhookUrl(), other);
    expect([await methods.delete(context), context.staticData]).toEqual([true, {}]);
    expect(requests().at(-1)).toBe(`DELETE ${hooks}/1`);
  });

  test('fails with the message from GitHub', async () => {
    server.on('POST /repos/:owner/:repo/hooks', () => ({ status: 404, json: { message: 'Not Found' } }));
    await expect(methods.create(contextOf())).rejects.toThrow('GitHub: Not Found (404)');
  });
});

const event = example.outputs?.[0]?.[0] as JsonObject;
const rawBody = Buffer.from(JSON.stringify(event['body']));
const signature = (secret: string) => `sha256=${createHmac('sha256', secret).update(rawBody).digest('hex')}`;

async function received(signatureHeader: string | undefined, staticData: JsonObject = { secret: 's' }, name = 'push') {
  const headers = {
    'x-github-event': name,
    'x-github-delivery': 'd1',
    ...(signatureHeader !== undefined && { 'x-hub-signature-256': signatureHeader }),
  };
  const context = contextOf({ staticData, request: { body: event['body'] ?? {}, rawBody, headers } });
  return { result: await githubTrigger.webhook?.(context), responses: context.responses };
}

describe('an event', () => {
  test('starts an execution', async () => {
    const { result } = await received(signature('s'));
    expect(result).toMatchObject({ workflowData: [[{ json: { body: event['body'], query: {} } }]], deliveryId: 'd1' });
  });

  test.each<[string, string | undefined, JsonObject]>([
    ['a signature with another secret', signature('x'), { secret: 's' }],
    ['a short signature', 'sha256=00', { secret: 's' }],
    ['no signature', undefined, { secret: 's' }],
    ['a signature with the empty secret, if no secret is known', signature(''), {}],
  ])('with %s is refused', async (_, signatureHeader, staticData) => {
    const { result, responses } = await received(signatureHeader, staticData);
    expect([result, responses]).toMatchObject([{ noWebhookResponse: true }, [{ status: 401 }]]);
  });

  test('that GitHub sends to a new webhook starts no execution', async () => {
    expect((await received(signature('s'), { secret: 's' }, 'ping')).result).toEqual({});
  });
});
