import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { HttpClient, JsonObject, MethodContext } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { example } from './google-business-profile.example.ts';
import { googleBusinessProfile } from './google-business-profile.ts';
import {
  googleAccountsServer,
  googleBusinessProfileServer,
  googleLocationsServer,
} from './testing/google-business-profile-server.ts';

let servers: ApiServer[];
let server: ApiServer;
let http: HttpClient;
beforeAll(async () => {
  servers = await Promise.all([googleBusinessProfileServer(), googleAccountsServer(), googleLocationsServer()]);
  server = servers[0] as ApiServer;
  const serverOf = (url: string) => servers.find(({ baseUrl }) => baseUrl && url.startsWith(baseUrl)) ?? server;
  http = { ...server.http, request: (request, signal) => serverOf(request.url).http.request(request, signal) };
});
afterEach(() => {
  for (const one of servers) one.verify();
});
afterAll(() => Promise.all(servers.map((one) => one.close())));

const place = { account: 'accounts/1', location: 'locations/2' };
const context = (parameters: JsonObject, more: FakeRun = {}): FakeRun => ({
  parameters,
  http,
  credentials: { googleBusinessProfileOAuth2Api: { oauthTokenData: { access_token: 'ya29' } } },
  ...more,
});
const run = (parameters: JsonObject, more: FakeRun = {}) => runForJson(googleBusinessProfile, context(parameters, more));
const sent = () => server.received.map(({ method, url }) => `${method} ${url.replace('/v4/accounts/1/locations/2', '')}`);

test('the example', async () => {
  expect(await run(example.parameters)).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual(['GET /reviews?pageSize=1']);
});

test('a list is read to the end; the name of a location may contain the account', async () => {
  const parameters = { resource: 'review', operation: 'getAll', account: 'accounts/1', returnAll: true };
  expect(await run({ ...parameters, location: 'accounts/1/locations/2' })).toHaveLength(2);
  expect(await run({ ...place, operation: 'getAll', returnAll: true })).toEqual([{ name: 'a' }, { name: 'b' }]);
  expect(sent()).toEqual([
    'GET /reviews?pageSize=50',
    'GET /reviews?pageSize=50&pageToken=p2',
    'GET /localPosts?pageSize=100',
    'GET /localPosts?pageSize=100&pageToken=p2',
  ]);
});

test.each(['r1', 'reviews/r1', 'accounts/1/locations/2/reviews/r1'])('a review is named by "%s"', async (review) => {
  await run({ resource: 'review', operation: 'get', ...place, review });
  await run({ resource: 'review', operation: 'reply', ...place, review, reply: 'Thanks' });
  await run({ resource: 'review', operation: 'delete', ...place, review });
  expect(sent()).toEqual(['GET /reviews/r1', 'PUT /reviews/r1/reply', 'DELETE /reviews/r1/reply']);
  expect(server.received[1]?.body.toString()).toBe('{"comment":"Thanks"}');
});

test('a post is created, read, and deleted', async () => {
  const additionalOptions = { callToActionType: 'LEARN_MORE', url: 'https://example.com' };
  expect(await run({ ...place, summary: 'News', additionalOptions })).toEqual([
    {
      name: 'p',
      topicType: 'STANDARD',
      summary: 'News',
      callToAction: { actionType: 'LEARN_MORE', url: 'https://example.com' },
    },
  ]);
  expect(await run({ ...place, operation: 'get', post: 'p1' })).toEqual([{ name: 'p1' }]);
  expect(await run({ ...place, operation: 'delete', post: 'p1' })).toEqual([{ success: true }]);
});

test('accounts and locations are listed for editors', async () => {
  const credentials = { googleBusinessProfileOAuth2Api: { oauthTokenData: { access_token: 'ya29' } } };
  const list = (method: string, filter?: string) => {
    const editor: MethodContext = webhookContext({ http, credentials, parameters: place });
    return googleBusinessProfile.methods?.listSearch?.[method]?.(editor, filter);
  };
  expect(await list('searchAccounts', 'acme')).toEqual({ results: [{ name: 'Acme', value: 'accounts/1' }] });
  expect(await list('searchLocations')).toEqual({
    results: [
      { name: 'Shop', value: 'locations/2' },
      { name: 'Café', value: 'locations/4' },
    ],
  });
});

test.each<[JsonObject, string]>([
  [{ resource: 'review', operation: 'getAll', location: 'locations/2' }, 'the parameter "account" is required'],
  [{ ...place, resource: 'review', operation: 'get' }, 'the parameter "review" is required'],
  [place, 'the parameter "summary" is required'],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('an error includes the text and status from Google; a failed item does not affect the others', async () => {
  server.on('GET /v4/accounts/:account/locations/:location/reviews/:review', ({ count }) =>
    count === 1
      ? { status: 404, json: { error: { code: 404, message: 'Requested entity was not found.', status: 'NOT_FOUND' } } }
      : { json: { name: 'r' } },
  );
  const parameters = { resource: 'review', operation: 'get', ...place, review: 'r' };
  expect(await run(parameters, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'Google Business Profile: Requested entity was not found. (NOT_FOUND)' },
    { name: 'r' },
  ]);
});
