import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './hunter.example.ts';
import { hunter } from './hunter.ts';
import { hunterServer } from './testing/hunter-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await hunterServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(hunter, { parameters, http: server.http, credentials: { hunterApi: { apiKey: 'k1' } }, ...more });
const sent = () => server.received.map(({ url }) => decodeURIComponent(url.replace('/v2', '')));

test('the example', async () => {
  expect(await run(example.parameters)).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual(['/email-verifier?email=ada@example.com']);
});

test('an email address is found by its owner’s name', async () => {
  const parameters = { operation: 'emailFinder', domain: 'example.com', firstname: 'Ada', lastname: 'Lovelace' };
  expect(await run(parameters)).toEqual([{ email: 'ada@example.com', score: 97 }]);
  expect(sent()).toEqual(['/email-finder?domain=example.com&first_name=Ada&last_name=Lovelace']);
});

test.each<[JsonObject, string[], number]>([
  [{ limit: 5 }, ['/domain-search?domain=example.com&limit=5'], 5],
  [
    { returnAll: true },
    ['/domain-search?domain=example.com&limit=100', '/domain-search?domain=example.com&limit=100&offset=100'],
    101,
  ],
  [
    { limit: 1, filters: { type: 'personal', seniority: ['senior', 'executive'], department: 'it' } },
    ['/domain-search?domain=example.com&type=personal&seniority=senior,executive&department=it&limit=1'],
    1,
  ],
])('the email addresses of a domain are read to the end, or to the limit: %j', async (parameters, requests, count) => {
  expect(await run({ domain: 'example.com', ...parameters })).toHaveLength(count);
  expect(sent()).toEqual(requests);
});

test('a domain is one item if the author enables it', async () => {
  const parameters = { domain: 'example.com', onlyEmails: false, limit: 1 };
  expect(await run(parameters)).toEqual([{ domain: 'example.com', emails: [{ value: 'e0@example.com' }] }]);
});

test.each<[JsonObject, string]>([
  [{}, 'the parameter "domain" is required'],
  [{ operation: 'emailVerifier' }, 'the parameter "email" is required'],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test.each<[string, { status: number; json: object }]>([
  ['a check that takes longer', { status: 202, json: { data: null } }],
  ['a rate limit', { status: 403, json: { errors: [{ id: 'too_many_requests', details: 'Slow down' }] } }],
])('%s is waited for', async (_, answer) => {
  server.on('GET /v2/email-verifier', ({ count }) =>
    count === 1 ? { ...answer, headers: { 'retry-after': '0' } } : { json: { data: { status: 'valid' } } },
  );
  expect(await run(example.parameters)).toEqual([{ status: 'valid' }]);
});

test('an error includes the text and ID from Hunter; a failed item does not affect the others', async () => {
  server.on('GET /v2/email-verifier', ({ count }) =>
    count === 1
      ? { status: 400, json: { errors: [{ id: 'wrong_params', code: 400, details: 'The email is invalid' }] } }
      : { json: { data: { status: 'valid' } } },
  );
  expect(await run(example.parameters, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'Hunter: The email is invalid (wrong_params)' },
    { status: 'valid' },
  ]);
});
