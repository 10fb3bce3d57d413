import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject, MethodContext } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { example } from './google-translate.example.ts';
import { googleTranslate } from './google-translate.ts';
import { googleTranslateServer } from './testing/google-translate-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await googleTranslateServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const token = { oauthTokenData: { access_token: 'ya29', expires_in: 3600 } };
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(googleTranslate, {
    parameters,
    typeVersion: 2,
    http: server.http,
    credentials: { googleTranslateOAuth2Api: token },
    ...more,
  });

test('the example', async () => {
  expect(await run(example.parameters)).toEqual(example.outputs?.[0]);
  expect(JSON.parse(server.received[0]?.body.toString() ?? '')).toEqual({ q: 'Hello', target: 'de' });
});

test('version 1 uses a service account by default', async () => {
  expect(await run(example.parameters, { typeVersion: 1, credentials: { googleApi: token } })).toHaveLength(1);
});

test('text is required', async () => {
  const message = 'the parameter "text" is required';
  await expect(run({ translateTo: 'de' })).rejects.toMatchObject({ message, itemIndex: 0 });
});

test('an error includes the reason from Google; a failed item does not affect the others; a request over the quota is retried', async () => {
  const refused = (status: number, reason: string, headers = {}) => ({
    status,
    headers,
    json: { error: { message: 'No', errors: [{ reason }] } },
  });
  const answers = [refused(400, 'invalid'), refused(403, 'userRateLimitExceeded', { 'retry-after': '0' })];
  const data = { translations: [{ translatedText: 'Hallo' }] };
  server.on('POST /language/translate/v2', ({ count }) => answers[count - 1] ?? { json: { data } });
  const output = await run(example.parameters, { json: [{}, {}], continueOnFail: true });
  expect(output).toEqual([{ error: 'Google Translate: No (invalid)' }, { translatedText: 'Hallo' }]);
});

test('languages can be chosen', async () => {
  const credentials = { googleTranslateOAuth2Api: token };
  const context: MethodContext = webhookContext({ http: server.http, credentials, typeVersion: 2 });
  expect(await googleTranslate.methods?.loadOptions?.['getLanguages']?.(context)).toEqual([{ name: 'German', value: 'de' }]);
});
