import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { HttpClient, HttpRequest, JsonObject, JsonValue, MethodContext } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { example } from './mailchimp.example.ts';
import { mailchimp } from './mailchimp.ts';
import { mailchimpServer } from './testing/mailchimp-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await mailchimpServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = {
  mailchimpApi: { apiKey: 'key1-us6' },
  mailchimpOAuth2Api: { clientId: 'c', clientSecret: 's', oauthTokenData: { access_token: 't' } },
};
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(mailchimp, { parameters, http: server.http, credentials, ...more });
const sent = () =>
  server.received.map(({ method, url, body }): [string, JsonValue] => [
    `${method} ${decodeURIComponent(url.replace('/3.0', ''))}`,
    body.length > 0 ? JSON.parse(body.toString()) : null,
  ]);
const person = { list: 'l1', email: ' Ada@Example.com' };
const path = '/lists/l1/members/3e3417d7ef77d5932a6734b916515ed5';
const success = { success: true };

test('the example', async () => {
  const mergeFieldsUi = { mergeFieldsValues: [{ name: 'FNAME', value: 'Ada' }] };
  expect(await run({ ...example.parameters, ...person, mergeFieldsUi })).toEqual(example.outputs?.[0]);
  const json = { email_address: 'Ada@Example.com', status: 'subscribed', merge_fields: { FNAME: 'Ada' } };
  expect(sent()).toEqual([['POST /lists/l1/members', json]]);
});

test.each<[JsonObject, string, JsonValue, JsonObject]>([
  [
    {
      ...person,
      status: 'pending',
      options: { emailType: 'text', ipOptIn: '1.2.3.4', language: 'en', tags: 'a, b', timestampOptIn: '2026-01-01', vip: true },
      groupsUi: { groupsValues: [{ categoryId: 'k1', categoryFieldId: 'i1', value: true }] },
      locationFieldsUi: { locationFieldsValues: { latitude: '52.5', longitude: 13 } },
    },
    'POST /lists/l1/members',
    {
      email_address: 'Ada@Example.com',
      status: 'pending',
      email_type: 'text',
      ip_opt: '1.2.3.4',
      language: 'en',
      timestamp_opt: '2026-01-01',
      vip: true,
      tags: ['a', 'b'],
      interests: { i1: true },
      location: { latitude: 52.5, longitude: 13 },
    },
    { id: 'm1', email_address: 'Ada@Example.com', status: 'pending' },
  ],
  [
    { ...person, jsonParameters: true, mergeFieldsJson: '{"FNAME": "A"}', groupJson: '{"i1": false}' },
    'POST /lists/l1/members',
    { email_address: 'Ada@Example.com', status: 'subscribed', merge_fields: { FNAME: 'A' }, interests: { i1: false } },
    { id: 'm1', email_address: 'Ada@Example.com', status: 'subscribed' },
  ],
  [{ ...person, operation: 'delete' }, `POST ${path}/actions/delete-permanent`, null, success],
  [
    { ...person, operation: 'get', options: { excludeFields: '_links' } },
    `GET ${path}?exclude_fields=_links`,
    null,
    { id: 'm1' },
  ],
  [
    { operation: 'getAll', list: 'l1', limit: 5, options: { status: 'subscribed', sinceLastChanged: '2026-01-01' } },
    'GET /lists/l1/members?status=subscribed&since_last_changed=2026-01-01&count=5',
    null,
    { id: 'm1' },
  ],
  [
    {
      ...person,
      operation: 'update',
      updateFields: {
        status: 'unsubscribed',
        skipMergeValidation: true,
        mergeFieldsUi: { mergeFieldsValues: [{ name: 'FNAME', value: 'B' }] },
      },
    },
    `PATCH ${path}?skip_merge_validation=true`,
    { status: 'unsubscribed', merge_fields: { FNAME: 'B' } },
    { id: 'm1', vip: true },
  ],
  [
    { resource: 'memberTag', ...person, tags: ['high-order'], options: {} },
    `POST ${path}/tags`,
    { tags: [{ name: 'high-order', status: 'active' }], is_syncing: false },
    success,
  ],
  [
    { resource: 'memberTag', operation: 'delete', ...person, tags: 'a,b', options: { isSyncing: true } },
    `POST ${path}/tags`,
    {
      tags: [
        { name: 'a', status: 'inactive' },
        { name: 'b', status: 'inactive' },
      ],
      is_syncing: true,
    },
    success,
  ],
  [
    { resource: 'listGroup', list: 'l1', groupCategory: 'k1' },
    'GET /lists/l1/interest-categories/k1/interests?count=50',
    null,
    { id: 'i1' },
  ],
  [
    { resource: 'campaign', returnAll: true, options: { listId: 'l1', sortField: 'send_time', sortDirection: 'DESC' } },
    'GET /campaigns?list_id=l1&sort_field=send_time&sort_dir=DESC&count=1000',
    null,
    { id: 'c1' },
  ],
  [{ resource: 'campaign', operation: 'get', campaignId: 'c1' }, 'GET /campaigns/c1', null, { id: 'c1' }],
  [{ resource: 'campaign', operation: 'delete', campaignId: 'c1' }, 'DELETE /campaigns/c1', null, success],
  [
    { resource: 'campaign', operation: 'replicate', campaignId: 'c1' },
    'POST /campaigns/c1/actions/replicate',
    null,
    { id: 'c2' },
  ],
  [
    { resource: 'campaign', operation: 'resend', campaignId: 'c1' },
    'POST /campaigns/c1/actions/create-resend',
    null,
    { id: 'c3' },
  ],
  [{ resource: 'campaign', operation: 'send', campaignId: 'c1' }, 'POST /campaigns/c1/actions/send', null, success],
])('%j sends %s', async (parameters, request, body, produced) => {
  expect(await run(parameters)).toEqual([produced]);
  expect(sent()).toEqual([[request, body]]);
});

test('a list is read to its end, or to the limit', async () => {
  server.on('GET /3.0/lists/:list/members', ({ query }) => ({
    json: { members: [{ id: String(query['offset'] ?? 0) }], total_items: 3 },
  }));
  expect(await run({ operation: 'getAll', list: 'l1', returnAll: true })).toEqual([{ id: '0' }, { id: '1' }, { id: '2' }]);
  expect(await run({ operation: 'getAll', list: 'l1', limit: 1 })).toEqual([{ id: '0' }]);
});

test('the OAuth2 data center is requested once per run', async () => {
  const requests: string[] = [];
  const withMetadata =
    (request: HttpClient['request']): HttpClient['request'] =>
    async (sent: HttpRequest, signal) => {
      if (!sent.url.startsWith('https://login.mailchimp.com')) return request(sent, signal);
      const signed = (await sent.authentication?.authenticate?.(sent, signal)) ?? sent;
      requests.push(`${signed.url} ${signed.headers?.['authorization']}`);
      return { status: 200, statusText: '', headers: {}, body: Buffer.from('{"dc":"us6"}'), url: sent.url };
    };
  const http = { ...server.http, request: withMetadata(server.http.request) };
  const parameters = { authentication: 'oAuth2', resource: 'campaign', operation: 'get', campaignId: 'c1' };
  expect(await run(parameters, { http, json: [{}, {}] })).toEqual([{ id: 'c1' }, { id: 'c1' }]);
  expect(requests).toEqual(['https://login.mailchimp.com/oauth2/metadata OAuth t']);
  expect(server.received.map(({ headers }) => headers['authorization'])).toEqual(['Bearer t', 'Bearer t']);
});

const refusal = {
  status: 400,
  json: {
    title: 'Invalid Resource',
    detail: 'The resource is invalid.',
    errors: [{ field: 'email_address', message: 'Not an email' }],
  },
};

test('an error includes text and code, and the node may continue', async () => {
  server.on('POST /3.0/lists/:list/members', ({ count }) => (count === 1 ? refusal : { json: { id: 'm1' } }));
  expect(await run(person, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'Mailchimp: The resource is invalid. email_address: Not an email (Invalid Resource)' },
    { id: 'm1' },
  ]);
});

test('a rate-limited request is retried', async () => {
  server.on('GET /3.0/campaigns/:id', ({ count }) =>
    count === 1 ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : { json: { id: 'c1' } },
  );
  expect(await run({ resource: 'campaign', operation: 'get', campaignId: 'c1' })).toEqual([{ id: 'c1' }]);
});

test.each<[JsonObject, string]>([
  [{ list: 'l1' }, 'the parameter "email" is required'],
  [{ resource: 'memberTag', ...person, tags: [] }, 'the parameter "tags" is required'],
  [{ ...person, jsonParameters: true, groupJson: '[]' }, 'the parameter "groupJson" is not a JSON object'],
  [{ ...person, locationFieldsUi: { locationFieldsValues: { latitude: 'x' } } }, 'the latitude is not a number'],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('editors list audiences, fields, categories, and campaigns', async () => {
  const context: MethodContext = webhookContext({ http: server.http, credentials, parameters: { list: 'l1' } });
  const { loadOptions = {} } = mailchimp.methods ?? {};
  expect(await loadOptions['getLists']?.(context)).toEqual([{ name: 'News', value: 'l1' }]);
  expect(await loadOptions['getMergeFields']?.(context)).toEqual([{ name: 'First Name', value: 'FNAME' }]);
  expect(await loadOptions['getGroupCategories']?.(context)).toEqual([{ name: 'Topics', value: 'k1' }]);
  expect(await loadOptions['getCampaigns']?.(context)).toEqual([{ name: 'c1', value: 'c1' }]);
});
