import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject, WebhookMethods } from '@sluice/node-sdk';
import type { ApiServer } from '../../testing/api-server.ts';
import { type FakeWebhook, webhookContext } from '../../testing/webhook-context.ts';
import { example } from './gitlab-trigger.example.ts';
import { gitlabTrigger } from './gitlab-trigger.ts';
import { gitlabServer } from './testing/gitlab-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await gitlabServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const methods = gitlabTrigger.webhookMethods?.['default'] as WebhookMethods;
const contextOf = (webhook: FakeWebhook = {}) =>
  webhookContext({
    http: server.http,
    credentials: { gitlabApi: { server: 'https://gitlab.com', accessToken: 't1' } },
    parameters: example.parameters,
    ...webhook,
  });
const hooks = '/api/v4/projects/acme%2Fapp/hooks';
const hasHooks = (...urls: string[]) =>
  server.on('GET /api/v4/projects/:project/hooks', () => ({ json: urls.map((url, id) => ({ id: id + 1, url })) }));
const requests = () => server.received.map(({ method, url }) => `${method} ${url}`);
const created = () => JSON.parse(server.received.at(-1)?.body.toString() ?? '');
const other = 'https://other.example/';

describe('registration', () => {
  test('has a secret, and only the chosen events', async () => {
    const context = contextOf();
    expect(await methods.create(context)).toBe(true);
    const { secret, hookId } = context.staticData;
    expect([hookId, secret]).toEqual([77, expect.stringMatching(/^[\w-]{43}$/)]);
    expect(created()).toMatchObject({ url: context.webhookUrl(), token: secret, enable_ssl_verification: true });
    expect(Object.entries(created()).filter(([name, value]) => name.endsWith('_events') && value === true)).toEqual([
      ['merge_requests_events', true],
    ]);
  });

  test('replaces a webhook whose secret is lost, and supports all events', async () => {
    const context = contextOf({ parameters: { ...example.parameters, events: ['*'] } });
    hasHooks(context.webhookUrl(), other);
    await methods.create(context);
    expect(requests()).toEqual([`GET ${hooks}?per_page=100`, `DELETE ${hooks}/1`, `POST ${hooks}`]);
    expect(Object.values(created()).includes(false)).toBe(false);
  });

  test('exists if GitLab has it, and this workflow has its secret', async () => {
    const context = contextOf({ staticData: { hookId: 1, secret: 's' } });
    expect(await methods.checkExists(context)).toBe(false);
    hasHooks(context.webhookUrl());
    expect(await methods.checkExists(context)).toBe(true);
    expect(await methods.checkExists(contextOf())).toBe(false);
    expect(await methods.checkAddress?.(contextOf())).toBe(true);
  });

  test('is removed', async () => {
    const context = contextOf({ staticData: { hookId: 1, secret: 's' } });
    hasHooks(context.webhookUrl(), other);
    expect([await methods.delete(context), context.staticData]).toEqual([true, {}]);
    expect(requests().at(-1)).toBe(`DELETE ${hooks}/1`);
  });

  test('fails without a project, and with the message from GitLab', async () => {
    const parameters = { ...example.parameters, owner: ' ' };
    await expect(methods.create(contextOf({ parameters }))).rejects.toThrow('the parameter "owner" is required');
    server.on('POST /api/v4/projects/:project/hooks', () => ({ status: 403, json: { message: '403 Forbidden' } }));
    await expect(methods.create(contextOf())).rejects.toThrow('GitLab: 403 Forbidden');
  });
});

describe('an event', () => {
  const [[event = {}] = []] = example.outputs ?? [];
  const body = event['body'] as JsonObject;
  async function received(token: string | undefined, staticData: JsonObject = { secret: 's' }) {
    const headers = {
      'x-gitlab-event': 'Merge Request Hook',
      'idempotency-key': 'd1',
      ...(token !== undefined && { 'x-gitlab-token': token }),
    };
    const context = contextOf({ staticData, request: { body, headers } });
    return { result: await gitlabTrigger.webhook?.(context), responses: context.responses };
  }

  test('starts an execution without the secret token', async () => {
    const { result } = await received('s');
    expect(result).toMatchObject({ workflowData: [[{ json: { body, query: {} } }]], deliveryId: 'd1' });
    expect(JSON.stringify(result)).not.toContain('x-gitlab-token');
  });

  test.each<[string, string | undefined, JsonObject]>([
    ['another token', 'x', { secret: 's' }],
    ['no token', undefined, { secret: 's' }],
    ['an empty token, if no secret is known', '', {}],
  ])('with %s is refused', async (_, token, staticData) => {
    const { result, responses } = await received(token, staticData);
    expect([result, responses]).toMatchObject([{ noWebhookResponse: true }, [{ status: 401 }]]);
  });
});
