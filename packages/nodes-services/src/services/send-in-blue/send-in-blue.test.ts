import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './send-in-blue.example.ts';
import { sendInBlue } from './send-in-blue.ts';
import { sendInBlueServer } from './testing/send-in-blue-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await sendInBlueServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(sendInBlue, { parameters, http: server.http, credentials: { sendInBlueApi: { apiKey: 'k1' } }, ...more });
const bodies = () => server.received.map(({ body }) => JSON.parse(body.toString()));
const message = { sender: 'a@x.test', receipients: 'b@x.test, c@x.test', subject: 's', htmlContent: '<b>Hi</b>' };

test('the example', async () => {
  expect(await run(example.parameters)).toEqual(example.outputs?.[0]);
  expect(bodies()).toEqual([
    {
      to: [{ email: 'ada@example.com' }],
      sender: { name: 'Shop', email: 'shop@example.com' },
      subject: 'Your order',
      textContent: 'It is on its way.',
    },
  ]);
});

test('an email has several recipients, copies, and tags', async () => {
  await run({ ...message, additionalFields: { receipientsCC: 'd@x.test', receipientsBCC: 'e@x.test', tags: 'one, two' } });
  expect(bodies()).toEqual([
    {
      to: [{ email: 'b@x.test' }, { email: 'c@x.test' }],
      cc: [{ email: 'd@x.test' }],
      bcc: [{ email: 'e@x.test' }],
      tags: ['one', 'two'],
      sender: { email: 'a@x.test' },
      subject: 's',
      htmlContent: '<b>Hi</b>',
    },
  ]);
});

test('a template has parameters', async () => {
  const parameters = [{ name: 'total', value: 5 }];
  const additionalFields = { templateParameters: { parameters } };
  await run({ operation: 'sendTemplate', templateId: 2, receipients: 'b@x.test', additionalFields });
  expect(bodies()).toEqual([{ to: [{ email: 'b@x.test' }], templateId: 2, params: { total: 5 } }]);
});

test('a contact is created, updated, read, and deleted', async () => {
  const contact = (operation: string, more: JsonObject) => run({ resource: 'contact', operation, ...more });
  const contactAttributes = { attributesValues: [{ fieldName: 'FIRSTNAME', fieldValue: 'Ada' }] };
  expect(await contact('create', { email: 'a@x.test', contactAttributes })).toEqual([{ id: 9 }]);
  expect(await contact('upsert', { email: 'a@x.test' })).toEqual([{ success: true }]);
  expect(await contact('update', { identifier: 'a@x.test', contactAttributes })).toEqual([{ success: true }]);
  expect(bodies()).toEqual([
    { email: 'a@x.test', attributes: { FIRSTNAME: 'Ada' }, updateEnabled: false },
    { email: 'a@x.test', attributes: {}, updateEnabled: true },
    { attributes: { FIRSTNAME: 'Ada' } },
  ]);
  expect(await contact('get', { identifier: 'a@x.test' })).toEqual([{ email: 'a@x.test' }]);
  expect(await contact('delete', { identifier: 'a@x.test' })).toEqual([{ success: true }]);
});

test.each([
  [{ returnAll: true }, 1_001],
  [{ limit: 3 }, 3],
])('contacts are read to the end, or to the limit: %j', async (parameters, count) => {
  expect(await run({ resource: 'contact', operation: 'getAll', ...parameters })).toHaveLength(count);
});

test('a list ends at an empty page, whatever its count', async () => {
  server.on('GET /v3/contacts', () => ({ json: { contacts: [], count: 5 } }));
  expect(await run({ resource: 'contact', operation: 'getAll', returnAll: true })).toEqual([]);
  expect(server.received).toHaveLength(1);
});

test.each<[JsonObject, string]>([
  [{ ...message, receipients: ' ' }, 'the parameter "receipients" is required'],
  [{ ...message, sender: '' }, 'the parameter "sender" is required'],
  [{ ...message, htmlContent: '' }, 'the email has no content'],
  [{ operation: 'sendTemplate', receipients: 'b@x.test' }, 'the parameter "templateId" is required'],
  [{ resource: 'contact', operation: 'get' }, 'the parameter "identifier" is required'],
])('%j is refused before a request', async (parameters, text) => {
  await expect(run(parameters)).rejects.toMatchObject({ message: text, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('an error includes the text and code from Brevo; a failed item does not affect the others', async () => {
  server.on('POST /v3/smtp/email', ({ count }) =>
    count === 1
      ? { status: 400, json: { code: 'invalid_parameter', message: 'sender is not valid' } }
      : { status: 201, json: {} },
  );
  expect(await run(message, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'Brevo: sender is not valid (invalid_parameter)' },
    {},
  ]);
});
