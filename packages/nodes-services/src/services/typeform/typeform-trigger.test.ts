import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject, WebhookMethods } from '@sluice/node-sdk';
import type { ApiServer } from '../../testing/api-server.ts';
import { type FakeWebhook, webhookContext } from '../../testing/webhook-context.ts';
import { typeformServer } from './testing/typeform-server.ts';
import { example } from './typeform-trigger.example.ts';
import { typeformTrigger } from './typeform-trigger.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await typeformServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const methods = typeformTrigger.webhookMethods?.['default'] as WebhookMethods;
const contextOf = (webhook: FakeWebhook = {}) =>
  webhookContext({
    http: server.http,
    credentials: { typeformApi: { accessToken: 'tfp1' } },
    parameters: example.parameters,
    ...webhook,
  });
const has = (...items: JsonObject[]) => server.on('GET /forms/:id/webhooks', () => ({ json: { items } }));
const requests = () => server.received.map(({ method, url }) => `${method} ${url}`);

describe('registration', () => {
  test('has a secret', async () => {
    const context = contextOf();
    expect(await methods.create(context)).toBe(true);
    const { secret, tag } = context.staticData;
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(requests().at(-1)).toBe(`PUT /forms/abc/webhooks/${tag}`);
    expect(JSON.parse(server.received.at(-1)?.body.toString() ?? '')).toEqual({
      url: context.webhookUrl(),
      enabled: true,
      secret,
      verify_ssl: true,
    });
  });

  test('exists if Typeform has it, enabled, and this workflow has its secret', async () => {
    const context = contextOf({ staticData: { tag: 't', secret: 's' } });
    const url = context.webhookUrl();
    for (const [hooks, exists] of [
      [[], false],
      [[{ tag: 't', url, enabled: false }], false],
      [[{ tag: 't', url, enabled: true }], true],
    ] as const) {
      has(...hooks);
      expect(await methods.checkExists(context)).toBe(exists);
    }
    expect(await methods.checkExists(contextOf())).toBe(false);
  });

  test('is found for removal even if it was changed or its data is lost', async () => {
    has({ tag: 'other', url: 'https://other.example/' });
    expect(await methods.checkAddress?.(contextOf())).toBe(false);
    has({ tag: 't', url: contextOf().webhookUrl(), enabled: false });
    expect(await methods.checkAddress?.(contextOf())).toBe(true);
    expect(await methods.checkExists(contextOf())).toBe(false);
  });

  test('is removed, and other webhooks are kept', async () => {
    const context = contextOf({ staticData: { tag: 't', secret: 's' } });
    has({ tag: 't', url: context.webhookUrl() }, { tag: 'other', url: 'https://other.example/' });
    expect([await methods.delete(context), context.staticData]).toEqual([true, {}]);
    expect(requests().slice(1)).toEqual(['DELETE /forms/abc/webhooks/t']);
  });

  test('fails with the message from Typeform', async () => {
    server.on('PUT /forms/:id/webhooks/:tag', () => ({
      status: 404,
      json: { code: 'FORM_NOT_FOUND', description: 'form not found' },
    }));
    await expect(methods.create(contextOf())).rejects.toThrow('Typeform: form not found (FORM_NOT_FOUND)');
  });
});

const fields = [
  { id: '1', title: 'Your name?' },
  { id: '2', title: 'Which ones?' },
  { id: '3', title: 'Which one?' },
  { id: '4', title: 'How many?' },
];
const answers = [
  { type: 'text', text: 'Ada', field: { id: '1' } },
  { type: 'choices', choices: { labels: ['A'], other: 'B' }, field: { id: '2' } },
  { type: 'choice', choice: { label: 'C' }, field: { id: '3' } },
  { type: 'number', number: 5, field: { id: '4' } },
];
const body = { event_type: 'form_response', form_response: { token: 'r1', definition: { fields }, answers } };
const rawBody = Buffer.from(JSON.stringify(body));
const signature = (secret: string) => `sha256=${createHmac('sha256', secret).update(rawBody).digest('base64')}`;

async function received(
  signatureHeader: string | undefined,
  parameters: JsonObject = {},
  staticData: JsonObject = { secret: 's' },
) {
  const headers = signatureHeader === undefined ? {} : { 'typeform-signature': signatureHeader };
  const context = contextOf({
    parameters: { ...example.parameters, ...parameters },
    staticData,
    request: { body, rawBody, headers },
  });
  return { result: await typeformTrigger.webhook?.(context), responses: context.responses };
}

describe('a submission', () => {
  const short = example.outputs?.[0]?.[0] as JsonObject;
  test.each<[JsonObject, JsonObject]>([
    [{}, short],
    [{ simplifyAnswers: false }, { answers }],
    [{ onlyAnswers: false }, { ...body, form_response: { ...body.form_response, answers: short } }],
    [{ onlyAnswers: false, simplifyAnswers: false }, body],
  ])('with %j starts an execution', async (parameters, json) => {
    expect((await received(signature('s'), parameters)).result).toEqual({ workflowData: [[{ json }]], deliveryId: 'r1' });
  });

  test.each<[string, string | undefined, JsonObject]>([
    ['a signature with another secret', signature('x'), { secret: 's' }],
    ['no signature', undefined, { secret: 's' }],
    ['a signature with the empty secret, if no secret is known', signature(''), {}],
  ])('with %s is refused', async (_, signatureHeader, staticData) => {
    const { result, responses } = await received(signatureHeader, {}, staticData);
    expect([result, responses]).toMatchObject([{ noWebhookResponse: true }, [{ status: 401 }]]);
  });
});

test('a rate-limited request is retried', async () => {
  server.on('GET /forms/:id/webhooks', ({ count }) =>
    count === 1 ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : { json: { items: [] } },
  );
  expect(await methods.checkAddress?.(contextOf())).toBe(false);
  expect(server.received).toHaveLength(2);
});

test('forms on all pages can be selected', async () => {
  expect(await typeformTrigger.methods?.loadOptions?.['getForms']?.(contextOf())).toHaveLength(201);
});
