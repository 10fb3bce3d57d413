import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject, WebhookMethods } from '@sluice/node-sdk';
import type { ApiServer } from '../../testing/api-server.ts';
import { type FakeWebhook, webhookContext } from '../../testing/webhook-context.ts';
import { example } from './telegram-trigger.example.ts';
import { telegramTrigger } from './telegram-trigger.ts';
import { telegramServer, token } from './testing/telegram-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await telegramServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const methods = telegramTrigger.webhookMethods?.['default'] as WebhookMethods;
const credentials = () => ({ telegramApi: { accessToken: token, baseUrl: server.origin } });
const contextOf = (webhook: FakeWebhook) => webhookContext({ http: server.http, credentials: credentials(), ...webhook });
const knownUrl = (url: string) =>
  server.on(`POST /bot${token}/getWebhookInfo`, () => ({ json: { ok: true, result: { url } } }));
const bodies = () =>
  server.received.map(({ url, body }) => [url.split('/').at(-1), JSON.parse(body.toString() || 'null')] as [string, unknown]);

describe('registration', () => {
  test.each<[string[], string[]]>([
    [
      ['message', 'callback_query'],
      ['message', 'callback_query'],
    ],
    [['*', 'message'], []],
  ])('of updates %j has a secret token', async (updates, allowed) => {
    const context = contextOf({ parameters: { updates } });
    expect(await methods.create(context)).toBe(true);
    const secret = context.staticData['secret'];
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(bodies()).toEqual([['setWebhook', { url: context.webhookUrl(), allowed_updates: allowed, secret_token: secret }]]);
  });

  test('exists if Telegram has its address, and this workflow has its secret', async () => {
    const context = contextOf({ staticData: { secret: 's' } });
    expect(await methods.checkExists(context)).toBe(false);
    knownUrl(context.webhookUrl());
    expect(await methods.checkExists(context)).toBe(true);
    expect(await methods.checkExists(contextOf({}))).toBe(false);
  });

  test('is found for removal even if it was changed or its data is lost', async () => {
    knownUrl('https://other.example/');
    expect(await methods.checkAddress?.(contextOf({}))).toBe(false);
    knownUrl(contextOf({}).webhookUrl());
    expect(await methods.checkAddress?.(contextOf({}))).toBe(true);
    expect(await methods.checkExists(contextOf({}))).toBe(false);
  });

  test('is removed', async () => {
    const context = contextOf({ staticData: { secret: 's' } });
    knownUrl(context.webhookUrl());
    expect([await methods.delete(context), context.staticData]).toEqual([true, {}]);
    expect(bodies().at(-1)).toEqual(['deleteWebhook', {}]);
  });

  test('for another workflow is kept', async () => {
    knownUrl('https://other.example/');
    expect(await methods.delete(contextOf({ staticData: { secret: 's' } }))).toBe(true);
    expect(bodies()).toEqual([['getWebhookInfo', {}]]);
  });

  test('fails with the message from Telegram', async () => {
    const json = { ok: false, error_code: 400, description: 'Bad Request: bad webhook: HTTPS url must be provided' };
    server.on(`POST /bot${token}/setWebhook`, () => ({ status: 400, json }));
    await expect(methods.create(contextOf({}))).rejects.toThrow(
      'Telegram: Bad Request: bad webhook: HTTPS url must be provided (400)',
    );
  });
});

const update = example.outputs?.[0]?.[0] as JsonObject;
const from = (body: JsonObject, secret = 's') => ({ body, headers: { 'x-telegram-bot-api-secret-token': secret } });
const received = (body: JsonObject, additionalFields: JsonObject = {}) =>
  telegramTrigger.webhook?.(contextOf({ parameters: { additionalFields }, staticData: { secret: 's' }, request: from(body) }));

describe('update', () => {
  test('starts an execution', async () => {
    expect(await received(update)).toEqual({ workflowData: [[{ json: update }]], deliveryId: '1' });
  });

  test.each([1.3, 1.4, 1.5])('starts an execution of version %d, too', async (typeVersion) => {
    expect(telegramTrigger.description.version).toContain(typeVersion);
    const context = contextOf({ typeVersion, staticData: { secret: 's' }, request: from(update) });
    expect(await telegramTrigger.webhook?.(context)).toEqual({ workflowData: [[{ json: update }]], deliveryId: '1' });
  });

  test.each<[string, FakeWebhook]>([
    ['a wrong secret', { staticData: { secret: 's' }, request: from(update, 'x') }],
    ['no secret', { staticData: { secret: 's' }, request: { body: update } }],
    ['an unknown secret', { request: from(update, '') }],
  ])('with %s is refused', async (_, webhook) => {
    const context = contextOf(webhook);
    expect(await telegramTrigger.webhook?.(context)).toEqual({ noWebhookResponse: true });
    expect(context.responses).toMatchObject([{ status: 401 }]);
  });

  const query = { update_id: 2, callback_query: { from: { id: 9 }, message: { chat: { id: 5 } }, data: 'y' } };
  test.each<[JsonObject, JsonObject, boolean]>([
    [update, { chatIds: '4, 5' }, true],
    [update, { chatIds: '4' }, false],
    [update, { chatIds: [5] }, true],
    [update, { userIds: '9' }, true],
    [update, { userIds: '8' }, false],
    [query, { chatIds: '5', userIds: '9' }, true],
    [query, { chatIds: '6' }, false],
  ])('%j with the restriction %j starts an execution: %s', async (body, restriction, starts) => {
    expect(await received(body, restriction)).toEqual(
      starts ? { workflowData: [[{ json: body }]], deliveryId: String(body['update_id']) } : {},
    );
  });

  const photo = [{ file_id: 'a' }, { file_id: 'b' }, { file_id: 'c' }];
  test.each<[JsonObject, string, string, string, string]>([
    [{ photo }, 'small', 'a', 'file 1.png', 'image/png'],
    [{ photo }, 'medium', 'b', 'file 1.png', 'image/png'],
    [{ photo }, 'extraLarge', 'c', 'file 1.png', 'image/png'],
    [
      { document: { file_id: 'd', file_name: 'a.pdf', mime_type: 'application/pdf' } },
      'large',
      'd',
      'a.pdf',
      'application/pdf',
    ],
    [{ video: { file_id: 'v', mime_type: 'video/mp4' } }, 'large', 'v', 'file 1.png', 'video/mp4'],
  ])('%j in size %s has the file %s', async (content, imageSize, id, fileName, mimeType) => {
    const body = { update_id: 3, message: { chat: { id: 5 }, ...content } };
    expect(await received(body, { download: true, imageSize })).toMatchObject({
      workflowData: [[{ json: body, binary: { data: { fileName, mimeType } } }]],
    });
    expect(bodies()[0]).toEqual(['getFile', { file_id: id }]);
  });

  test('without a file has no binary data', async () => {
    expect(await received(update, { download: true })).toEqual({ workflowData: [[{ json: update }]], deliveryId: '1' });
  });
});
