import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { type FakeRun, memoryBinary, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './mailjet.example.ts';
import { mailjet } from './mailjet.ts';
import { mailjetServer } from './testing/mailjet-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await mailjetServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { mailjetEmailApi: { apiKey: 'k1', secretKey: 's1' }, mailjetSmsApi: { token: 't1' } };
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(mailjet, { parameters, http: server.http, credentials, ...more });
const sent = () => server.received.map(({ body }) => JSON.parse(body.toString()));
const addresses = { fromEmail: 'team@example.com', toEmail: 'ada@example.com' };
const message = { From: { Email: 'team@example.com' }, To: [{ Email: 'ada@example.com' }] };

test('the example', async () => {
  expect(await run({ ...example.parameters, text: 'All systems work.' })).toEqual(example.outputs?.[0]);
  const To = [{ Email: 'ada@example.com' }, { Email: 'grace@example.com' }];
  expect(sent()).toEqual([{ Messages: [{ ...message, To, Subject: 'Report', TextPart: 'All systems work.' }] }]);
});

test('additional fields and files are sent', async () => {
  const additionalFields = {
    fromName: 'Team',
    ccAddresses: 'b@example.com',
    bccEmail: ['c@example.com', 'd@example.com'],
    replyTo: 'e@example.com',
    customId: 'x1',
    attachments: 'data',
  };
  const binary = memoryBinary();
  const data = await binary.store(Buffer.from('hello'), { mimeType: 'text/plain', fileName: 'a.txt' });
  await run({ ...addresses, html: '<b>x</b>', additionalFields }, { binary, inputs: [[{ json: {}, binary: { data } }]] });
  expect(sent()).toEqual([
    {
      Messages: [
        {
          From: { Email: 'team@example.com', Name: 'Team' },
          To: [{ Email: 'ada@example.com' }],
          Cc: [{ Email: 'b@example.com' }],
          Bcc: [{ Email: 'c@example.com' }, { Email: 'd@example.com' }],
          ReplyTo: { Email: 'e@example.com' },
          CustomID: 'x1',
          Subject: '',
          HTMLPart: '<b>x</b>',
          Attachments: [{ ContentType: 'text/plain', Filename: 'a.txt', Base64Content: 'aGVsbG8=' }],
        },
      ],
    },
  ]);
});

test('a template gets its variables', async () => {
  const variablesUi = {
    variablesValues: [
      { name: 'name', value: 'Ada' },
      { name: '__proto__', value: 5 },
    ],
  };
  await run({ ...addresses, operation: 'sendTemplate', templateId: '42', variablesUi });
  const variables = JSON.parse('{"name":"Ada","__proto__":5}');
  expect(sent()).toEqual([{ Messages: [{ ...message, TemplateID: 42, TemplateLanguage: true, Variables: variables }] }]);
});

test('a text message is sent with its own token', async () => {
  const parameters = { resource: 'sms', from: 'Team', to: '+33612345678', text: 'Hello' };
  expect(await run(parameters)).toEqual([{ MessageId: 'm1', Status: { Code: 2 } }]);
  expect(sent()).toEqual([{ From: 'Team', To: '+33612345678', Text: 'Hello' }]);
});

test.each<[JsonObject, string]>([
  [{ toEmail: 'a@b.example', text: 'x' }, 'the parameter "fromEmail" is required'],
  [{ fromEmail: 'a@b.example', text: 'x' }, 'the parameter "toEmail" is required'],
  [addresses, 'the email has no content'],
  [{ ...addresses, operation: 'sendTemplate' }, 'the parameter "templateId" is required'],
  [{ resource: 'sms', from: 'Team', to: '1' }, 'the parameter "text" is required'],
])('%j is refused before a request', async (parameters, text) => {
  await expect(run(parameters)).rejects.toMatchObject({ message: text, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('an error includes the text from Mailjet; a rate-limited request is retried', async () => {
  const Errors = [{ ErrorCode: 'mj-0013', ErrorMessage: '"x" is an invalid email address.' }];
  server.on('POST /v3.1/send', ({ count }) => {
    if (count === 1) return { status: 400, json: { Messages: [{ Status: 'error', Errors }] } };
    if (count === 2) return { status: 401, json: { ErrorMessage: 'API key authentication failure.' } };
    return count === 3
      ? { status: 429, headers: { 'retry-after': '0' }, json: {} }
      : { json: { Messages: [{ Status: 'success' }] } };
  });
  expect(await run({ ...addresses, text: 'x' }, { json: [{}, {}, {}], continueOnFail: true })).toEqual([
    { error: 'Mailjet: "x" is an invalid email address. (mj-0013)' },
    { error: 'Mailjet: API key authentication failure. (401)' },
    { Status: 'success' },
  ]);
});
