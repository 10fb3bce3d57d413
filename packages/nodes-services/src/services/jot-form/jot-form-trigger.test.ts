import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject, WebhookMethods } from '@sluice/node-sdk';
import type { ApiServer } from '../../testing/api-server.ts';
import { type FakeWebhook, webhookContext } from '../../testing/webhook-context.ts';
import { example } from './jot-form-trigger.example.ts';
import { jotFormTrigger } from './jot-form-trigger.ts';
import { jotFormServer } from './testing/jot-form-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await jotFormServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const methods = jotFormTrigger.webhookMethods?.['default'] as WebhookMethods;
const contextOf = (webhook: FakeWebhook = {}) =>
  webhookContext({
    http: server.http,
    credentials: { jotFormApi: { apiKey: 'key1' } },
    parameters: example.parameters,
    ...webhook,
  });
const has = (content: JsonObject) => server.on('GET /form/:id/webhooks', () => ({ json: { responseCode: 200, content } }));
const requests = () => server.received.map(({ method, url }) => `${method} ${url}`);

describe('registration', () => {
  test('has a token that only Jotform receives', async () => {
    const context = contextOf();
    expect(await methods.create(context)).toBe(true);
    const { token } = context.staticData;
    expect(token).toMatch(/^[\w-]{43}$/);
    const form = new URLSearchParams(server.received.at(-1)?.body.toString());
    expect([requests().at(-1), form.get('webhookURL')]).toEqual([
      'POST /form/231/webhooks',
      `${context.webhookUrl()}?token=${token}`,
    ]);
  });

  test('exists if Jotform has its address, and this workflow has its token', async () => {
    const context = contextOf({ staticData: { token: 't' } });
    expect(await methods.checkExists(context)).toBe(false);
    has({ '0': 'https://other.example/', '1': `${context.webhookUrl()}?token=t` });
    expect(await methods.checkExists(context)).toBe(true);
    expect(await methods.checkExists(contextOf())).toBe(false);
  });

  test('is found for removal even if it was changed or its data is lost', async () => {
    has({ '0': 'https://other.example/' });
    expect(await methods.checkAddress?.(contextOf())).toBe(false);
    has({ '0': contextOf().webhookUrl(), '1': contextOf().webhookUrl() });
    expect(await methods.checkAddress?.(contextOf())).toBe(true);
    expect(await methods.checkExists(contextOf())).toBe(false);
  });

  test('is removed, and other webhooks are kept', async () => {
    const context = contextOf({ staticData: { token: 't' } });
    const url = context.webhookUrl();
    has({ '0': `${url}?token=t`, '1': 'https://other.example/', '2': `${url}?token=old` });
    expect([await methods.delete(context), context.staticData]).toEqual([true, {}]);
    expect(requests().slice(1)).toEqual(['DELETE /form/231/webhooks/2', 'DELETE /form/231/webhooks/0']);
  });

  test('fails with the message from Jotform', async () => {
    server.on('POST /form/:id/webhooks', () => ({ json: { responseCode: 401, message: 'You are not authorized' } }));
    await expect(methods.create(contextOf())).rejects.toThrow('Jotform: You are not authorized (401)');
  });
});

const answers = {
  slug: 'submit/231',
  q3_fullName: { first: 'Ada', last: 'Byron' },
  q4_email: 'a@a.test',
  q9_gone: 'x',
};
const body = { formID: '231', submissionID: '9', rawRequest: JSON.stringify(answers) };

async function received(
  parameters: JsonObject = {},
  token: string | null = 't',
  more: JsonObject = body,
  staticData: JsonObject = { token: 't' },
) {
  const request = { body: more, query: token === null ? {} : { token } };
  const context = contextOf({ parameters: { ...example.parameters, ...parameters }, staticData, request });
  return { result: await jotFormTrigger.webhook?.(context), responses: context.responses };
}

describe('a submission', () => {
  test.each<[JsonObject, JsonObject]>([
    [{}, example.outputs?.[0]?.[0] as JsonObject],
    [{ resolveData: false }, answers],
    [{ onlyAnswers: false }, { ...body, rawRequest: example.outputs?.[0]?.[0] ?? {} }],
    [
      { resolveData: false, onlyAnswers: false },
      { ...body, rawRequest: answers },
    ],
  ])('with %j starts an execution', async (parameters, json) => {
    expect((await received(parameters)).result).toEqual({ workflowData: [[{ json }]] });
  });

  test('has the URLs of files', async () => {
    const rawRequest = JSON.stringify({ q4_email: 'b@b.test', upload: ['https://www.jotform.com/uploads/a.pdf'] });
    const { result } = await received({}, 't', { ...body, rawRequest });
    expect(result).toEqual({
      workflowData: [[{ json: { Email: 'b@b.test', Files: ['https://www.jotform.com/uploads/a.pdf'] } }]],
    });
  });

  test.each<[string, string | null, JsonObject]>([
    ['another token', 'x', { token: 't' }],
    ['no token', null, { token: 't' }],
    ['an empty token, if no token is known', '', {}],
  ])('with %s is refused', async (_, token, staticData) => {
    const { result, responses } = await received({}, token, body, staticData);
    expect([result, responses]).toMatchObject([{ noWebhookResponse: true }, [{ status: 401 }]]);
  });
});

test('a rate-limited request is retried', async () => {
  server.on('GET /form/:id/webhooks', ({ count }) =>
    count === 1 ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : { json: { responseCode: 200, content: {} } },
  );
  expect(await methods.checkAddress?.(contextOf())).toBe(false);
  expect(server.received).toHaveLength(2);
});

test('forms can be chosen', async () => {
  expect(await jotFormTrigger.methods?.loadOptions?.['getForms']?.(contextOf())).toEqual([{ name: 'Contact', value: '231' }]);
});
