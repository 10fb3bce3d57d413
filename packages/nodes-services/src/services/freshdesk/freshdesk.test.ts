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
  server.received.map(({ method, url, body }): JsonValue[] => {
    const text = body.toString();
    return [`${method} ${url.replace('/api/v2', '')}`, text === '' ? null : JSON.parse(text)];
  });
const contact = { resource: 'contact' };
const defaults = { status: 3, priority: 1, source: 2 };

test('the example', async () => {
  const options = { subject: 'Broken', description: 'It does not start', tags: ['web'] };
  const parameters = { ...example.parameters, requesterIdentificationValue: 'ada@example.com', options };
  expect(await run(parameters)).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual([['POST /tickets', { email: 'ada@example.com', status: 2, priority: 3, source: 2, ...options }]]);
});

test.each<[JsonObject, string, JsonValue]>([
  [{ operation: 'create', requesterIdentificationValue: ' 12 ' }, 'POST /tickets', { requester_id: 12, ...defaults }],
  [
    { operation: 'create', requester: 'phone', requesterIdentificationValue: '+49 1', status: 8, source: 'feedbackWidget' },
    'POST /tickets',
    { phone: '+49 1', ...defaults, status: 8, source: 9 },
  ],
  [
    {
      operation: 'create',
      requesterIdentificationValue: 1,
      options: {
        ...{ agent: '2', company: 3, group: 4, product: 5, emailConfigId: 6, type: 'Question', name: 'Ada' },
        ...{ dueBy: '2026-01-31T12:00:00', frDueBy: '2026-01-30T12:00:00Z', ccEmails: 'a@b.test, c@d.test', tags: '' },
        customFields: { customField: [{ name: 'cf_order', value: 'A1' }, { name: ' ' }] },
      },
    },
    'POST /tickets',
    {
      ...{ requester_id: 1, ...defaults, responder_id: 2, company_id: 3, group_id: 4, product_id: 5, email_config_id: 6 },
      ...{ type: 'Question', name: 'Ada', due_by: '2026-01-31T11:00:00.000Z', fr_due_by: '2026-01-30T12:00:00.000Z' },
      ...{ cc_emails: ['a@b.test', 'c@d.test'], custom_fields: { cf_order: 'A1' } },
    },
  ],
  [
    {
      operation: 'update',
      ticketId: '7',
      updateFields: { requester: 'twitterId', requesterIdentificationValue: '@ada', status: 'closed', priority: 'urgent' },
    },
    'PUT /tickets/7',
    { twitter_id: '@ada', status: 5, priority: 4 },
  ],
  [
    { operation: 'update', ticketId: 7, updateFields: { requesterIdentificationValue: '9' } },
    'PUT /tickets/7',
    { requester_id: 9 },
  ],
  [{ operation: 'get', ticketId: 'a/b?c' }, 'GET /tickets/a%2Fb%3Fc', null],
  [{ operation: 'delete', ticketId: 7 }, 'DELETE /tickets/7', null],
  [
    {
      ...contact,
      operation: 'create',
      name: 'Ada',
      email: 'ada@example.com',
      additionalFields: {
        ...{ company_id: '3', other_emails: ['a@b.test'], view_all_tickets: false, tags: 'a,b', unknown: 1 },
        customFields: { customField: [{ name: 'vip', value: true }] },
      },
    },
    'POST /contacts',
    {
      ...{ name: 'Ada', email: 'ada@example.com', company_id: 3, other_emails: ['a@b.test'], view_all_tickets: false },
      ...{ tags: ['a', 'b'], custom_fields: { vip: true } },
    },
  ],
  [
    { ...contact, operation: 'update', contactId: '5', additionalFields: { name: 'Ada L.', phone: '' } },
    'PUT /contacts/5',
    { name: 'Ada L.' },
  ],
  [
    { ...contact, operation: 'update', contactId: '5', additionalFields: { phone: 49151, view_all_tickets: 'true' } },
    'PUT /contacts/5',
    { phone: '49151', view_all_tickets: true },
  ],
  [{ ...contact, operation: 'get', contactId: '5' }, 'GET /contacts/5', null],
  [{ ...contact, operation: 'delete', contactId: '5' }, 'DELETE /contacts/5', null],
])('%j is one request', async (parameters, request, body) => {
  expect(await run(parameters, { timezone: 'Europe/Berlin' })).toHaveLength(1);
  expect(sent()).toEqual([[request, body]]);
});

test('lists are read to their end, or to the limit', async () => {
  const options = { requesterEmail: 'a+b&c@d.test', updatedSince: '2026-01-31', orderBy: 'updatedAt', order: 'asc' };
  expect(await run({ operation: 'getAll', returnAll: true, options })).toEqual([{ id: 1 }, { id: 2 }]);
  expect(await run({ operation: 'getAll', limit: 1, options: { include: ['stats', 'requester'], filter: 'spam' } })).toEqual([
    { id: 1 },
  ]);
  const filters = { state: 'verified', company_id: 3 };
  expect(await run({ ...contact, operation: 'getAll', filters })).toEqual([{ id: 1 }, { id: 2 }]);
  const query =
    'email=a%2Bb%26c%40d.test&updated_since=2026-01-31T00%3A00%3A00.000Z&order_type=asc&order_by=updated_at&per_page=100';
  expect(sent().map(([request]) => request)).toEqual([
    `GET /tickets?${query}`,
    `GET /tickets?${query}&page=2`,
    'GET /tickets?filter=spam&include=stats%2Crequester&per_page=1',
    'GET /contacts?state=verified&company_id=3&per_page=50',
    'GET /contacts?state=verified&company_id=3&per_page=50&page=2',
  ]);
});

test.each<[JsonObject, string]>([
  [{ operation: 'create' }, 'the parameter "requesterIdentificationValue" is required'],
  [
    { operation: 'create', requesterIdentificationValue: 'ada' },
    'the value of "requesterIdentificationValue" is not a positive number',
  ],
  [
    { operation: 'create', requester: 'email', requesterIdentificationValue: 'a@b.test', status: 'done' },
    'the value of "status" is not a positive number',
  ],
  [
    { operation: 'create', requesterIdentificationValue: '1', options: { agent: 'Ann' } },
    'the value of "agent" is not a positive number',
  ],
  [
    { operation: 'create', requesterIdentificationValue: '1', options: { agent: { toString: 1 } } },
    'the value of "agent" is not a positive number',
  ],
  [{ operation: 'update', ticketId: '7', updateFields: { dueBy: 'soon' } }, 'the value of "dueBy" is not a date'],
  [{ operation: 'get', ticketId: ' ' }, 'the parameter "ticketId" is required'],
  [{ ...contact, operation: 'create', name: '' }, 'the parameter "name" is required'],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test.each<[number, JsonObject, string]>([
  [
    400,
    { description: 'Validation failed', errors: [{ field: 'email', message: 'It should be valid', code: 'invalid_value' }] },
    'Freshdesk: Validation failed; email: It should be valid (invalid_value)',
  ],
  [
    403,
    { code: 'access_denied', message: 'You are not authorized to perform this action.' },
    'Freshdesk: You are not authorized to perform this action. (access_denied)',
  ],
])('an error %d with %j names the reason, and does not affect other items', async (status, json, error) => {
  server.on('GET /api/v2/tickets/:id', ({ count }) => (count === 1 ? { status, json } : { json: { id: 7 } }));
  expect(await run({ operation: 'get', ticketId: '7' }, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error },
    { id: 7 },
  ]);
});
