import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './freshdesk.example.ts';
import { freshdesk } from './freshdesk.ts';
import { freshdeskServer } from './testing/freshdesk-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await freshdeskServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { freshdeskApi: { apiKey: 'k1', domain: 'acme' } };
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(freshdesk, { parameters, http: server.http, credentials, ...more });
const sent = () =>
  server.received.map(({ method, url, body }): JsonValue[] => [
    `${method} ${url.replace('/api/v2', '')}`,
    body.length > 0 ? JSON.parse(body.toString()) : null,
  ]);

test('the example', async () => {
  const fields = { email: 'ada@example.com', subject: 'Broken', description: 'It does not start', priority: 2 };
  expect(await run({ additionalFields: fields })).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual([['POST /tickets', fields]]);
});

const contact = { resource: 'contact' };
test.each<[JsonObject, string, JsonValue]>([
  [
    {
      operation: 'create',
      additionalFields: {
        requester_id: '7',
        status: '3',
        tags: 'a, b',
        cc_emails: ['b@b.test'],
        due_by: '2026-02-01T12:00:00+01:00',
        fr_due_by: '2026-01-31T12:00:00+01:00',
        custom_fields: { field: [{ name: 'cf_order', value: 12 }] },
      },
    },
    'POST /tickets',
    {
      requester_id: 7,
      status: 3,
      tags: ['a', 'b'],
      cc_emails: ['b@b.test'],
      due_by: '2026-02-01T11:00:00.000Z',
      fr_due_by: '2026-01-31T11:00:00.000Z',
      custom_fields: { cf_order: 12 },
    },
  ],
  [
    { operation: 'update', ticketId: '3', updateFields: { status: 4, type: 'Question' } },
    'PUT /tickets/3',
    { status: 4, type: 'Question' },
  ],
  [{ operation: 'get', ticketId: 3 }, 'GET /tickets/3', null],
  [{ operation: 'delete', ticketId: '3' }, 'DELETE /tickets/3', null],
  [
    {
      ...contact,
      operation: 'create',
      additionalFields: { name: 'Ada', phone: 123, view_all_tickets: 'true', other_emails: 'b@b.test' },
    },
    'POST /contacts',
    { name: 'Ada', phone: '123', view_all_tickets: true, other_emails: ['b@b.test'] },
  ],
  [
    { ...contact, operation: 'update', contactId: '7', updateFields: { job_title: 'CEO' } },
    'PUT /contacts/7',
    { job_title: 'CEO' },
  ],
  [{ ...contact, operation: 'get', contactId: 7 }, 'GET /contacts/7', null],
  [{ ...contact, operation: 'delete', contactId: '7' }, 'DELETE /contacts/7', null],
])('%j sends %s', async (parameters, request, body) => {
  expect(await run(parameters)).toHaveLength(1);
  expect(sent()).toEqual([[request, body]]);
});

test.each<[JsonObject, string]>([
  [{ operation: 'getAll', options: {} }, 'GET /tickets?per_page=50'],
  [
    {
      operation: 'getAll',
      limit: 2,
      options: {
        filter: 'watching',
        requester_id: '7',
        order_by: 'due_by',
        order_type: 'asc',
        updated_since: '2026-01-31T12:00:00Z',
      },
    },
    'GET /tickets?filter=watching&requester_id=7&order_by=due_by&order_type=asc&updated_since=2026-01-31T12%3A00%3A00.000Z&per_page=2',
  ],
  [
    { ...contact, operation: 'getAll', returnAll: true, options: { email: 'a@a.test', state: 'verified' } },
    'GET /contacts?email=a%40a.test&state=verified&per_page=100',
  ],
])('%j lists by %s', async (parameters, request) => {
  expect(await run(parameters)).toHaveLength(2);
  expect(sent()).toEqual([[request, null]]);
});

test('a list is read to its end, or to the limit', async () => {
  const next = '<https://acme.freshdesk.com/api/v2/tickets?per_page=100&page=2>; rel="next"';
  server.on('GET /api/v2/tickets', ({ query }) =>
    query['page'] ? { json: [{ id: 2 }] } : { json: [{ id: 1 }], headers: { link: next } },
  );
  expect(await run({ operation: 'getAll', returnAll: true })).toEqual([{ id: 1 }, { id: 2 }]);
  expect(await run({ operation: 'getAll', limit: 1 })).toEqual([{ id: 1 }]);
});

test('an error includes the text and the fields from Freshdesk', async () => {
  server.on('POST /api/v2/tickets', () => ({
    status: 400,
    json: {
      description: 'Validation failed',
      errors: [{ field: 'status', message: "It should be one of these values: '2,3,4,5'", code: 'invalid_value' }],
    },
  }));
  await expect(run({ additionalFields: { email: 'a@a.test', status: 99 } })).rejects.toThrow(
    "Freshdesk: Validation failed; status: It should be one of these values: '2,3,4,5' (400)",
  );
});

test('only the failed item has an error if the node continues', async () => {
  server.on('GET /api/v2/tickets/:id', ({ count }) =>
    count === 1
      ? { status: 401, json: { code: 'invalid_credentials', message: 'You have to be logged in to perform this action.' } }
      : { json: { id: 3 } },
  );
  const output = await run({ operation: 'get', ticketId: '3' }, { json: [{}, {}], continueOnFail: true });
  const error = 'Freshdesk: You have to be logged in to perform this action. (invalid_credentials)';
  expect(output).toEqual([{ error }, { id: 3 }]);
});

test('a rate-limited request is retried', async () => {
  server.on('GET /api/v2/tickets/:id', ({ count }) =>
    count === 1 ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : { json: { id: 3 } },
  );
  expect(await run({ operation: 'get', ticketId: '3' })).toEqual([{ id: 3 }]);
});

test.each<[JsonObject, string]>([
  [{ additionalFields: { subject: 'x' } }, 'the ticket has no requester'],
  [{ ...contact, additionalFields: { address: 'x' } }, 'the contact has no name or address'],
  [{ additionalFields: { email: 'a@a.test', due_by: 'soon' } }, 'the value of "due_by" is not a date'],
  [{ additionalFields: { requester_id: 'x' } }, 'the parameter "additionalFields.requester_id" must be a number'],
])('%j is rejected before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toThrow(message);
  expect(server.received).toEqual([]);
});
