import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { type FakeRun, runForJson, runNode } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { account, twilioServer } from './testing/twilio-server.ts';
import { example } from './twilio.example.ts';
import { twilio } from './twilio.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await twilioServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const runOf = (parameters: JsonObject, more: FakeRun = {}): FakeRun => ({
  parameters,
  http: server.http,
  credentials: { twilioApi: account },
  ...more,
});
const numbers = { from: '+15005550006', to: '+14155238886' };
const messages = 'POST /2010-04-01/Accounts/AC1/Messages.json';
const sent = () => server.received.map(({ body }) => Object.fromEntries(new URLSearchParams(body.toString())));

test.each<[JsonObject, JsonObject]>([
  [{ message: 'Hi & bye' }, { From: '+15005550006', To: '+14155238886', Body: 'Hi & bye' }],
  [
    { message: 'Hi', toWhatsapp: true, options: { statusCallback: 'https://a.test/s' } },
    { From: 'whatsapp:+15005550006', To: 'whatsapp:+14155238886', Body: 'Hi', StatusCallback: 'https://a.test/s' },
  ],
  [
    { message: 'Hi', toWhatsapp: true, from: 'whatsapp:+15005550006' },
    { From: 'whatsapp:+15005550006', To: 'whatsapp:+14155238886', Body: 'Hi' },
  ],
  [
    { resource: 'call', message: 'Tom & <Jerry>' },
    { From: '+15005550006', To: '+14155238886', Twiml: '<Response><Say>Tom &amp; &lt;Jerry&gt;</Say></Response>' },
  ],
  [
    { resource: 'call', twiml: true, message: '<Response><Pause/></Response>' },
    { From: '+15005550006', To: '+14155238886', Twiml: '<Response><Pause/></Response>' },
  ],
])('%j sends %j', async (parameters, expected) => {
  const [json] = await runForJson(twilio, runOf({ ...numbers, ...parameters }));
  expect(json).toMatchObject({ status: 'queued' });
  expect(sent()).toEqual([expected]);
});

test('an error includes the text and the code from Twilio', async () => {
  const answer = { code: 21211, message: "Invalid 'To' Phone Number", status: 400 };
  server.on(messages, () => ({ status: 400, json: answer }));
  await expect(runNode(twilio, runOf(example.parameters))).rejects.toMatchObject({
    code: 'NODE_API_ERROR',
    message: "Twilio: Invalid 'To' Phone Number (21211)",
    details: { status: 400, code: 21211 },
  });
});

test('only the failed item has an error if the node continues', async () => {
  server.on(messages, ({ body }) =>
    (body as JsonObject)['Body'] === 'bad' ? { status: 400, json: { code: 1, message: 'No' } } : { json: { sid: 'SM1' } },
  );
  const parameters = (index: number) => ({ ...numbers, message: ['good', 'bad'][index] ?? '' });
  const run = { ...runOf({}), parameters, json: [{}, {}], continueOnFail: true };
  expect(await runForJson(twilio, run)).toEqual([{ sid: 'SM1' }, { error: 'Twilio: No (1)' }]);
});

test('a text that is too long for a call is rejected', async () => {
  const parameters = { ...numbers, resource: 'call', message: 'a'.repeat(4_001) };
  await expect(runNode(twilio, runOf(parameters))).rejects.toThrow('longer than 4000 characters');
});

test('a rate-limited message is retried', async () => {
  server.on(messages, ({ count }) =>
    count === 1 ? { status: 429, headers: { 'retry-after': '0' }, json: { code: 20429 } } : { json: { sid: 'SM2' } },
  );
  expect(await runForJson(twilio, runOf(example.parameters))).toEqual([{ sid: 'SM2' }]);
});
