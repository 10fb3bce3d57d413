import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject, WebhookMethods } from '@sluice/node-sdk';
import type { ApiServer } from '../../testing/api-server.ts';
import { type FakeWebhook, webhookContext } from '../../testing/webhook-context.ts';
import { example } from './pipedrive-trigger.example.ts';
import { pipedriveTrigger } from './pipedrive-trigger.ts';
import { pipedriveServer } from './testing/pipedrive-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await pipedriveServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const methods = pipedriveTrigger.webhookMethods?.['default'] as WebhookMethods;
const contextOf = (webhook: FakeWebhook = {}) =>
  webhookContext({
    http: server.http,
    credentials: { pipedriveApi: { apiToken: 'token1' }, httpBasicAuth: { user: 'ada', password: 'pw' } },
    parameters: example.parameters,
    typeVersion: 1.1,
    ...webhook,
  });
const has = (...data: JsonObject[]) => server.on('GET /api/v1/webhooks', () => ({ json: { success: true, data } }));
const requests = () => server.received.map(({ method, url }) => `${method} ${url}`);
const bodyOf = () => JSON.parse(server.received.at(-1)?.body.toString() ?? '');
const registration = { webhook: 7, password: 'p' };
const byUser = { ...example.parameters, incomingAuthentication: 'basicAuth' };

describe('registration', () => {
  test('has a password of its own', async () => {
    const context = contextOf();
    expect(await methods.create(context)).toBe(true);
    expect(context.staticData).toEqual({ webhook: 7, password: expect.stringMatching(/^[\w-]{43}$/) });
    expect(bodyOf()).toEqual({
      subscription_url: context.webhookUrl(),
      event_action: 'change',
      event_object: 'deal',
      http_auth_user: 'sluice',
      http_auth_password: context.staticData['password'],
      name: 'Workflow',
      version: '2.0',
    });
  });

  test('may have the password of a credential, which must be complete', async () => {
    const context = contextOf({ parameters: byUser });
    await methods.create(context);
    expect(context.staticData).toEqual({ webhook: 7 });
    expect(bodyOf()).toMatchObject({ http_auth_user: 'ada', http_auth_password: 'pw' });
    const credentials = { pipedriveApi: { apiToken: 'token1' }, httpBasicAuth: { user: 'ada', password: '' } };
    await expect(methods.create(contextOf({ parameters: byUser, credentials }))).rejects.toThrow(
      'the credential has no user or no password',
    );
  });

  test.each<[JsonObject, string, string]>([
    [{}, '*', '*'],
    [{ action: 'added', object: 'person' }, 'create', 'person'],
    [{ action: 'updated', object: '*' }, 'change', '*'],
    [{ action: 'deleted' }, 'delete', '*'],
  ])('of version 1 with %j is for the event %s of %s', async (parameters, action, object) => {
    await methods.create(contextOf({ parameters, typeVersion: 1 }));
    expect(bodyOf()).toMatchObject({ event_action: action, event_object: object, version: '2.0' });
  });

  test('for merged records is refused', async () => {
    const context = contextOf({ parameters: { action: 'merged' }, typeVersion: 1 });
    await expect(methods.create(context)).rejects.toThrow('an event for merged records is not supported yet');
    expect(server.received).toEqual([]);
  });

  test('replaces only the known webhook and the webhooks with our address', async () => {
    const context = contextOf({ staticData: { webhook: 8 } });
    has({ id: 9, subscription_url: 'https://other.example/' }, { id: 2, subscription_url: context.webhookUrl() });
    server.on('DELETE /api/v1/webhooks/:id', ({ params }) => ({ status: params['id'] === '8' ? 404 : 200, json: {} }));
    await methods.create(context);
    expect(requests().slice(1)).toEqual(['DELETE /api/v1/webhooks/2', 'DELETE /api/v1/webhooks/8', 'POST /api/v1/webhooks']);
  });

  test('exists if Pipedrive has it, active, for the same event', async () => {
    const context = contextOf({ staticData: { ...registration } });
    const one = {
      id: 7,
      subscription_url: context.webhookUrl(),
      event_action: 'change',
      event_object: 'deal',
      is_active: 1,
      version: '2.0',
    };
    for (const [change, exists] of [
      [{ id: 8 }, false],
      [{ is_active: 0 }, false],
      [{ event_action: '*' }, false],
      [{ event_object: 'person' }, false],
      [{ version: '1.0' }, false],
      [{}, true],
    ] as const) {
      has({ ...one, ...(change as JsonObject) });
      expect(await methods.checkExists(context)).toBe(exists);
    }
    expect(await methods.checkExists(contextOf({ staticData: { webhook: 7 } }))).toBe(false);
  });

  test('is found for removal even if it was changed, and removed', async () => {
    has({ id: 9, subscription_url: 'https://other.example/' });
    expect(await methods.checkAddress?.(contextOf())).toBe(false);
    has({ id: 7, subscription_url: contextOf().webhookUrl(), is_active: 0 });
    expect(await methods.checkAddress?.(contextOf())).toBe(true);
    const context = contextOf({ staticData: { ...registration } });
    expect(await methods.delete(context)).toBe(true);
    expect(context.staticData).toEqual({});
    expect(requests().at(-1)).toBe('DELETE /api/v1/webhooks/7');
  });
});

describe('a request', () => {
  const body = example.outputs?.[0]?.[0] as JsonObject;
  const basic = (account: string) => ({ authorization: `Basic ${Buffer.from(account).toString('base64')}` });
  const received = async (headers: Record<string, string>, webhook: FakeWebhook = {}) => {
    const context = contextOf({ staticData: { ...registration }, ...webhook, request: { body, headers } });
    return { result: await pipedriveTrigger.webhook?.(context), responses: context.responses };
  };

  test('with the password starts an execution, once', async () => {
    const started = { workflowData: [[{ json: body }]], deliveryId: 'n1' };
    expect((await received(basic('sluice:p'))).result).toEqual(started);
    expect((await received(basic('ada:pw'), { parameters: byUser })).result).toEqual(started);
  });

  test('has the shape of earlier webhooks in version 1', async () => {
    const { result } = await received(basic('sluice:p'), { typeVersion: 1 });
    expect(result?.workflowData).toEqual([
      [
        {
          json: {
            v: 1,
            current: body['data'],
            previous: body['previous'],
            event: 'updated.deal',
            meta: { ...(body['meta'] as JsonObject), action: 'updated', object: 'deal', id: 5 },
          },
        },
      ],
    ]);
  });

  test.each<[string, Record<string, string>, FakeWebhook]>([
    ['another password', basic('sluice:x'), {}],
    ['no password', {}, {}],
    ['an empty password, if no password is known', basic('sluice:'), { staticData: {} }],
    ['the trigger’s own password instead of the credential’s password', basic('sluice:p'), { parameters: byUser }],
  ])('with %s is refused', async (_, headers, webhook) => {
    const { result, responses } = await received(headers, webhook);
    expect([result, responses]).toMatchObject([{ noWebhookResponse: true }, [{ status: 401 }]]);
  });
});
