import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { site, zendeskServer } from './testing/zendesk-server.ts';
import { example } from './zendesk.example.ts';
import { zendesk } from './zendesk.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await zendeskServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { zendeskApi: site };
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(zendesk, { parameters, http: server.http, credentials, ...more });
const sent = () =>
  server.received.map(({ method, url, body }): JsonValue[] => [
    `${method} ${url.replace('/api/v2', '')}`,
    body.length > 0 ? JSON.parse(body.toString()) : null,
  ]);

test('the example', async () => {
  const parameters = { description: 'It does not start', additionalFields: { subject: 'Broken', tags: ['web'] } };
  expect(await run(parameters)).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual([
    ['POST /tickets', { ticket: { comment: { body: 'It does not start' }, subject: 'Broken', tags: ['web'] } }],
  ]);
});

const user = { resource: 'user' };
const organization = { resource: 'organization' };
test.each<[JsonObject, string, JsonValue]>([
  [
    {
      operation: 'update',
      id: '35',
      updateFields: {
        status: 'solved',
        internalNote: '<b>x</b>',
        assigneeEmail: 'a@a.test',
        customFieldsUi: { customFieldsValues: [{ id: '9', value: 'y' }] },
      },
    },
    'PUT /tickets/35',
    {
      ticket: {
        assignee_email: 'a@a.test',
        status: 'solved',
        custom_fields: [{ id: 9, value: 'y' }],
        comment: { html_body: '<b>x</b>', public: false },
      },
    },
  ],
  [
    { operation: 'update', id: '35', updateFields: { publicReply: 'Hi' } },
    'PUT /tickets/35',
    { ticket: { comment: { body: 'Hi', public: true } } },
  ],
  [{ operation: 'get', id: 35 }, 'GET /tickets/35', null],
  [{ operation: 'delete', id: '35' }, 'DELETE /tickets/35', null],
  [
    {
      ...user,
      operation: 'create',
      name: 'Bob',
      additionalFields: { email: 'b@b.test', tags: 'a, b', userFieldsUi: { userFieldValues: [{ field: 'tier', value: 'A' }] } },
    },
    'POST /users',
    { user: { name: 'Bob', email: 'b@b.test', tags: ['a', 'b'], user_fields: { tier: 'A' } } },
  ],
  [{ ...user, operation: 'update', id: '1', updateFields: { name: 'Rob' } }, 'PUT /users/1', { user: { name: 'Rob' } }],
  [{ ...user, operation: 'get', id: '1' }, 'GET /users/1', null],
  [{ ...user, operation: 'delete', id: '1' }, 'DELETE /users/1', null],
  [{ ...user, operation: 'getRelatedData', id: '1' }, 'GET /users/1/related', null],
  [
    { ...organization, operation: 'create', name: 'Acme', additionalFields: { domain_names: 'a.test,b.test' } },
    'POST /organizations',
    { organization: { name: 'Acme', domain_names: ['a.test', 'b.test'] } },
  ],
  [
    { ...organization, operation: 'update', id: '7', updateFields: { details: 'x' } },
    'PUT /organizations/7',
    { organization: { details: 'x' } },
  ],
  [{ ...organization, operation: 'get', id: '7' }, 'GET /organizations/7', null],
  [{ ...organization, operation: 'delete', id: '7' }, 'DELETE /organizations/7', null],
  [{ ...organization, operation: 'count' }, 'GET /organizations/count', null],
  [{ ...organization, operation: 'getRelatedData', id: '7' }, 'GET /organizations/7/related', null],
])('%j sends %s', async (parameters, request, body) => {
  expect(await run(parameters)).toHaveLength(1);
  expect(sent()).toEqual([[request, body]]);
});

test.each<[JsonObject, string]>([
  [
    { operation: 'getAll', options: { query: 'priority:high', status: 'open', sortBy: 'updated_at', sortOrder: 'desc' } },
    'GET /search?query=type%3Aticket+priority%3Ahigh+status%3Aopen&sort_by=updated_at&sort_order=desc&per_page=100',
  ],
  [{ ...user, operation: 'getAll', limit: 5, filters: { role: 'agent' } }, 'GET /users?role=agent&page%5Bsize%5D=5'],
  [{ ...user, operation: 'search', filters: { query: 'ann' } }, 'GET /users/search?query=ann&per_page=100'],
  [{ ...organization, operation: 'getAll' }, 'GET /organizations?page%5Bsize%5D=100'],
  [{ ...user, operation: 'getOrganizations', id: '1' }, 'GET /users/1/organizations?page%5Bsize%5D=100'],
  [
    { operation: 'getAll', returnAll: true, options: { status: 'open' } },
    'GET /search/export?query=status%3Aopen&filter%5Btype%5D=ticket&page%5Bsize%5D=100',
  ],
  [
    { operation: 'getAll', returnAll: true },
    'GET /search/export?query=created%3E%3D1970-01-01&filter%5Btype%5D=ticket&page%5Bsize%5D=100',
  ],
  [
    { operation: 'getAll', returnAll: true, options: { query: 'type:ticket ticket_type:incident' } },
    'GET /search?query=type%3Aticket+type%3Aticket+ticket_type%3Aincident&per_page=100',
  ],
  [
    { operation: 'getAll', returnAll: true, options: { sortBy: 'priority' } },
    'GET /search?query=type%3Aticket&sort_by=priority&per_page=100',
  ],
])('%j lists by %s', async (parameters, request) => {
  expect(await run(parameters)).toHaveLength(2);
  expect(sent()).toEqual([[request, null]]);
});

test('a list is read to its end, or to the limit', async () => {
  const next = 'https://acme.zendesk.com/api/v2/organizations?page[size]=100&page[after]=x';
  server.on('GET /api/v2/organizations', ({ query }) => ({
    json: query['page[after]']
      ? { organizations: [{ id: 2 }], meta: { has_more: false }, links: { next } }
      : { organizations: [{ id: 1 }], meta: { has_more: true }, links: { next } },
  }));
  expect(await run({ ...organization, operation: 'getAll', returnAll: true })).toEqual([{ id: 1 }, { id: 2 }]);
  expect(await run({ ...organization, operation: 'getAll', limit: 1 })).toEqual([{ id: 1 }]);
});

test('a search is read to its end', async () => {
  server.on('GET /api/v2/users/search', ({ query }) => ({
    json: query['page']
      ? { users: [{ id: 2 }], next_page: null }
      : { users: [{ id: 1 }], next_page: 'https://acme.zendesk.com/api/v2/users/search?page=2&per_page=100' },
  }));
  expect(await run({ ...user, operation: 'search', returnAll: true })).toEqual([{ id: 1 }, { id: 2 }]);
});

test('an error includes the code, text, and detail from Zendesk', async () => {
  server.on('POST /api/v2/tickets', () => ({
    status: 422,
    json: {
      error: 'RecordInvalid',
      description: 'Record validation errors',
      details: { requester: [{ description: 'Requester: Name is too short' }] },
    },
  }));
  await expect(run({ description: 'x' })).rejects.toThrow(
    'Zendesk: Record validation errors; requester: Requester: Name is too short (RecordInvalid)',
  );
});

test('only the failed item has an error if the node continues', async () => {
  server.on('GET /api/v2/tickets/:id', ({ count }) =>
    count === 1
      ? { status: 404, json: { error: 'RecordNotFound', description: 'Not found' } }
      : { json: { ticket: { id: 35 } } },
  );
  const output = await run({ operation: 'get', id: '35' }, { json: [{}, {}], continueOnFail: true });
  expect(output).toEqual([{ error: 'Zendesk: Not found (RecordNotFound)' }, { id: 35 }]);
});

test('a rate-limited request is retried', async () => {
  server.on('GET /api/v2/tickets/:id', ({ count }) =>
    count === 1 ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : { json: { ticket: { id: 35 } } },
  );
  expect(await run({ operation: 'get', id: '35' })).toEqual([{ id: 35 }]);
});

test('two comments in one change are rejected before a request', async () => {
  const requests = run({ operation: 'update', id: '35', updateFields: { internalNote: 'a', publicReply: 'b' } });
  await expect(requests).rejects.toMatchObject({ message: 'a change has at most one comment', itemIndex: 0 });
  expect(server.received).toEqual([]);
});
