import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { type FakeRun, fakeContext, memoryBinary, runForJson, runNode } from '@sluice/nodes-base/testing';
import { accessOf } from '../../shared/api-client.ts';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './pipedrive.example.ts';
import { pipedrive } from './pipedrive.ts';
import { hash, pipedriveServer } from './testing/pipedrive-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await pipedriveServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { pipedriveApi: { apiToken: 'token1' } };
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(pipedrive, { parameters, http: server.http, credentials, typeVersion: 1, ...more });
const sent = () =>
  server.received.map(({ method, url, body, headers }): JsonValue[] => [
    `${method} ${url.replace('/api', '')}`,
    body.length === 0 ? null : headers['content-type'] === 'application/json' ? JSON.parse(body.toString()) : body.toString(),
  ]);

test('the example', async () => {
  const additionalFields = { email: ['ada@example.com'], org_id: 5 };
  expect(await run({ ...example.parameters, name: 'Ada', additionalFields })).toEqual(example.outputs?.[0]);
  const emails = [{ value: 'ada@example.com', primary: true, label: 'work' }];
  expect(sent()).toEqual([['POST /v2/persons', { name: 'Ada', emails, org_id: 5 }]]);
});

const activity = { resource: 'activity', activityId: '7' };
const deal = { resource: 'deal', dealId: '7' };
const dealProduct = { resource: 'dealProduct', dealId: '7', productAttachmentId: '3' };
const file = { resource: 'file', fileId: '7' };
const lead = { resource: 'lead', leadId: 'a-b' };
const note = { resource: 'note', noteId: '7' };
const organization = { resource: 'organization', organizationId: '7' };
const person = { resource: 'person', personId: '7' };
const property = (name: string, value: JsonValue) => ({ customProperties: { property: [{ name, value }] } });
test.each<[JsonObject, string, JsonValue]>([
  [
    {
      ...activity,
      operation: 'create',
      subject: 'Call',
      type: 'call',
      done: '1',
      additionalFields: { due_date: '2026-01-31', person_id: '3', user_id: 4, deal_id: '5' },
    },
    'POST /v2/activities',
    { subject: 'Call', type: 'call', done: true, due_date: '2026-01-31', person_id: 3, owner_id: 4, deal_id: 5 },
  ],
  [{ ...activity, operation: 'get' }, 'GET /v2/activities/7', null],
  [{ ...activity, operation: 'update', updateFields: { done: '0' } }, 'PATCH /v2/activities/7', { done: false }],
  [{ ...activity, operation: 'delete' }, 'DELETE /v2/activities/7', null],
  [
    {
      title: 'Big',
      associateWith: 'person',
      person_id: 3,
      additionalFields: { value: '10.5', label: '1,2', user_id: '4', status: 'open', ...property(hash, 'x') },
    },
    'POST /v2/deals',
    { title: 'Big', person_id: 3, value: 10.5, label_ids: [1, 2], owner_id: 4, status: 'open', custom_fields: { [hash]: 'x' } },
  ],
  [{ title: '12', org_id: 0 }, 'POST /v2/deals', { title: '12' }],
  [{ ...deal, operation: 'get' }, 'GET /v2/deals/7', null],
  [
    { ...deal, operation: 'update', updateFields: { title: 'x', stage_id: '2' } },
    'PATCH /v2/deals/7',
    { title: 'x', stage_id: 2 },
  ],
  [{ ...deal, operation: 'duplicate' }, 'POST /v1/deals/7/duplicate', null],
  [{ ...deal, operation: 'delete' }, 'DELETE /v2/deals/7', null],
  [
    {
      ...dealProduct,
      operation: 'add',
      productId: '9',
      item_price: 2.5,
      quantity: 2,
      additionalFields: { discount_percentage: 10, comments: 'x' },
    },
    'POST /v2/deals/7/products',
    { product_id: 9, item_price: 2.5, quantity: 2, comments: 'x', discount: 10, discount_type: 'percentage' },
  ],
  [{ ...dealProduct, operation: 'update', updateFields: { quantity: 3 } }, 'PATCH /v2/deals/7/products/3', { quantity: 3 }],
  [{ ...dealProduct, operation: 'remove' }, 'DELETE /v2/deals/7/products/3', null],
  [{ ...file, operation: 'get' }, 'GET /v1/files/7', null],
  [{ ...file, operation: 'update', updateFields: { name: 'b.txt' } }, 'PUT /v1/files/7', 'name=b.txt'],
  [{ ...file, operation: 'delete' }, 'DELETE /v1/files/7', null],
  [
    {
      ...lead,
      operation: 'create',
      title: 'New',
      organization_id: 5,
      additionalFields: {
        value: { valueProperties: { amount: 10, currency: 'EUR' } },
        label_ids: ['l1'],
        owner_id: '4',
        ...property(hash, 'x'),
      },
    },
    'POST /v1/leads',
    { title: 'New', organization_id: 5, owner_id: 4, [hash]: 'x', label_ids: ['l1'], value: { amount: 10, currency: 'EUR' } },
  ],
  [{ ...lead, operation: 'get' }, 'GET /v1/leads/a-b', null],
  [{ ...lead, operation: 'update', updateFields: { person_id: '3' } }, 'PATCH /v1/leads/a-b', { person_id: 3 }],
  [{ ...lead, operation: 'delete' }, 'DELETE /v1/leads/a-b', null],
  [
    { ...note, operation: 'create', content: 'Hi', additionalFields: { lead_id: 'a-b', person_id: '3' } },
    'POST /v1/notes',
    { content: 'Hi', lead_id: 'a-b', person_id: 3 },
  ],
  [{ ...note, operation: 'get' }, 'GET /v1/notes/7', null],
  [{ ...note, operation: 'update', updateFields: { content: 'x' } }, 'PUT /v1/notes/7', { content: 'x' }],
  [{ ...note, operation: 'delete' }, 'DELETE /v1/notes/7', null],
  [
    { ...organization, operation: 'create', name: 'Acme', additionalFields: { owner_id: '4', visible_to: '3' } },
    'POST /v2/organizations',
    { name: 'Acme', owner_id: 4, visible_to: 3 },
  ],
  [{ ...organization, operation: 'get' }, 'GET /v2/organizations/7', null],
  [{ ...organization, operation: 'update', updateFields: { name: 'x' } }, 'PATCH /v2/organizations/7', { name: 'x' }],
  [{ ...organization, operation: 'delete' }, 'DELETE /v2/organizations/7', null],
  [{ ...person, operation: 'get' }, 'GET /v2/persons/7', null],
  [
    { ...person, operation: 'update', updateFields: { phone: ['1', '2'], ...property('job_title', 'Boss') } },
    'PATCH /v2/persons/7',
    {
      phones: [
        { value: '1', primary: true, label: 'work' },
        { value: '2', primary: false, label: 'work' },
      ],
      job_title: 'Boss',
    },
  ],
  [{ ...person, operation: 'delete' }, 'DELETE /v2/persons/7', null],
  [{ resource: 'product', operation: 'get', productId: '7' }, 'GET /v2/products/7', null],
])('%j sends %s', async (parameters, request, body) => {
  expect(await run(parameters)).toHaveLength(1);
  expect(sent()).toEqual([[request, body]]);
});

const getAll = { operation: 'getAll' };
test.each<[JsonObject, string, number]>([
  [
    { ...activity, ...getAll, additionalFields: { done: '1', user_id: '4', filterId: '2' } },
    'GET /v2/activities?done=true&filter_id=2&owner_id=4&limit=100',
    2,
  ],
  [{ ...getAll, limit: 5, filters: { user_id: '4', status: 'won' } }, 'GET /v2/deals?owner_id=4&status=won&limit=5', 2],
  [{ ...getAll, filters: { status: 'all_not_deleted' } }, 'GET /v2/deals?limit=100', 2],
  [
    { resource: 'dealActivity', dealId: '7', additionalFields: { done: '0' } },
    'GET /v2/activities?deal_id=7&done=false&limit=100',
    2,
  ],
  [{ ...dealProduct, ...getAll, returnAll: true }, 'GET /v2/deals/7/products?limit=500', 2],
  [{ ...file, ...getAll }, 'GET /v1/files?limit=100', 2],
  [{ ...lead, ...getAll, filters: { person_id: '3' } }, 'GET /v1/leads?person_id=3&limit=100', 2],
  [{ ...lead, ...getAll, filters: { archived_status: 'archived' } }, 'GET /v1/leads/archived?limit=100', 2],
  [{ ...note, ...getAll, additionalFields: { deal_id: '7' } }, 'GET /v1/notes?deal_id=7&limit=100', 2],
  [{ ...organization, ...getAll, filters: { firstChar: 'b' } }, 'GET /v2/organizations?limit=500', 1],
  [
    { ...person, ...getAll, additionalFields: { filterId: '2', sort: 'add_time DESC' } },
    'GET /v2/persons?filter_id=2&sort_by=add_time&sort_direction=desc&limit=100',
    2,
  ],
  [{ resource: 'product' }, 'GET /v2/products?limit=100', 2],
  [
    { ...person, operation: 'search', term: 'ada', additionalFields: { fields: ['email', 'name'], exactMatch: true } },
    'GET /v2/persons/search?term=ada&exact_match=true&fields=email%2Cname&limit=100',
    2,
  ],
  [{ ...organization, operation: 'search', term: 'acme', limit: 3 }, 'GET /v2/organizations/search?term=acme&limit=3', 2],
  [
    { ...deal, operation: 'search', term: 'big', exactMatch: true, additionalFields: { status: 'open', personId: 3 } },
    'GET /v2/deals/search?term=big&exact_match=true&person_id=3&status=open&limit=100',
    2,
  ],
])('%j lists by %s', async (parameters, request, count) => {
  expect(await run(parameters)).toHaveLength(count);
  expect(sent()).toEqual([[request, null]]);
});

test.each<[JsonObject, JsonObject]>([
  [{}, { id: 1 }],
  [{ rawData: true }, { result_score: 0.9, item: { id: 1 } }],
])('a search with %j returns %j', async (additionalFields, first) => {
  expect((await run({ ...person, operation: 'search', term: 'ada', additionalFields }))[0]).toEqual(first);
});

test('active and archived leads are one list', async () => {
  expect(await run({ ...lead, ...getAll, limit: 3, filters: { archived_status: 'all' } })).toEqual([
    { id: 1 },
    { id: 2 },
    { id: 1 },
  ]);
});

test('activities are filtered by type and day', async () => {
  const data = [
    { id: 1, type: 'call', due_date: '2026-01-10' },
    { id: 2, type: 'meeting', due_date: '2026-01-10' },
    { id: 3, type: 'call', due_date: '2026-02-10' },
    { id: 4, type: 'call', due_date: null },
  ];
  server.on('GET /api/v2/activities', () => ({ json: { data, additional_data: {} } }));
  const additionalFields = { type: ['call'], start_date: '2026-01-01T00:00:00', end_date: '2026-01-31' };
  expect(await run({ ...activity, ...getAll, additionalFields })).toEqual([data[0]]);
});

test('a list is read to its end, or to the limit', async () => {
  server.on('GET /api/v2/persons', ({ query }) => ({
    json: { data: [{ id: query['cursor'] ? 2 : 1 }], additional_data: { next_cursor: query['cursor'] ? null : 'abc' } },
  }));
  expect(await run({ ...person, ...getAll, returnAll: true })).toEqual([{ id: 1 }, { id: 2 }]);
  expect(await run({ ...person, ...getAll, limit: 1 })).toEqual([{ id: 1 }]);
});

test('a list of version 1 is read to its end', async () => {
  server.on('GET /api/v1/notes', ({ query }) => ({
    json: {
      data: [{ id: query['start'] ? 2 : 1 }],
      additional_data: { pagination: { more_items_in_collection: !query['start'], next_start: 100 } },
    },
  }));
  expect(await run({ ...note, ...getAll, returnAll: true })).toEqual([{ id: 1 }, { id: 2 }]);
});

describe('custom properties', () => {
  test('are returned under the names of fields and options', async () => {
    await run({
      ...person,
      operation: 'create',
      name: 'Ada',
      encodeProperties: true,
      additionalFields: property('Tier', 'Gold'),
    });
    expect(sent()).toEqual([
      ['GET /v2/personFields?limit=500', null],
      ['POST /v2/persons', { name: 'Ada', custom_fields: { [hash]: 31 } }],
    ]);
  });

  test.each<[boolean, JsonObject]>([
    [false, { [hash]: 31 }],
    [true, { Tier: 'Gold' }],
  ])('are next to the other members, with the names of version 1; resolved: %j', async (resolveProperties, own) => {
    const record = { id: 7, owner_id: 4, emails: [{ value: 'a@a.test' }], custom_fields: { [hash]: 31 } };
    server.on('GET /api/v2/persons/:id', () => ({ json: { data: record } }));
    const resolved = { ...record, ...own, user_id: 4, email: record.emails };
    const output = await run({ ...person, operation: 'get', resolveProperties }, { json: [{}, {}] });
    expect(output).toEqual([resolved, resolved]);
    expect(server.received.filter(({ url }) => url.startsWith('/api/v2/personFields'))).toHaveLength(resolveProperties ? 1 : 0);
  });
});

describe('version 2', () => {
  const runNewer = (parameters: JsonObject) => run(parameters, { typeVersion: 2 });
  const product = { resource: 'product', productId: '7' };

  test.each<[JsonObject, string, JsonValue]>([
    [
      {
        ...product,
        operation: 'create',
        name: '12',
        additionalFields: {
          code: '007',
          unit: 'kg',
          tax: 20,
          owner_id: '4',
          is_linkable: false,
          prices: { price: [{ price: 2.5, currency: 'EUR' }] },
          ...property(hash, 'x'),
        },
      },
      'POST /v2/products',
      {
        name: '12',
        code: '007',
        unit: 'kg',
        tax: 20,
        owner_id: 4,
        is_linkable: false,
        prices: [{ price: 2.5, currency: 'EUR' }],
        custom_fields: { [hash]: 'x' },
      },
    ],
    [{ ...product, operation: 'update', updateFields: { name: 'x' } }, 'PATCH /v2/products/7', { name: 'x' }],
    [{ ...product, operation: 'delete' }, 'DELETE /v2/products/7', null],
    [
      { ...deal, operation: 'update', updateFields: { owner_id: '4', label_ids: '1,2' } },
      'PATCH /v2/deals/7',
      { owner_id: 4, label_ids: [1, 2] },
    ],
    [
      { ...activity, operation: 'update', updateFields: { owner_id: 4, done: true } },
      'PATCH /v2/activities/7',
      { owner_id: 4, done: true },
    ],
  ])('%j sends %s', async (parameters, request, body) => {
    expect(await runNewer(parameters)).toHaveLength(1);
    expect(sent()).toEqual([[request, body]]);
  });

  test.each<[JsonObject, string]>([
    [
      { ...activity, ...getAll, additionalFields: { deal_id: '7', owner_id: '4' } },
      'GET /v2/activities?deal_id=7&owner_id=4&limit=100',
    ],
    [{ ...getAll, filters: { owner_id: '4' } }, 'GET /v2/deals?owner_id=4&limit=100'],
    [
      { ...product, operation: 'search', term: 'big', additionalFields: { exactMatch: true } },
      'GET /v2/products/search?term=big&exact_match=true&limit=100',
    ],
  ])('%j lists by %s', async (parameters, request) => {
    expect(await runNewer(parameters)).toHaveLength(2);
    expect(sent()).toEqual([[request, null]]);
  });

  test.each<[boolean, JsonObject]>([
    [false, { [hash]: 31 }],
    [true, { Tier: 'Gold' }],
  ])('returns custom properties together; resolved: %j', async (resolveProperties, own) => {
    const record = { id: 7, owner_id: 4, emails: [{ value: 'a@a.test' }], custom_fields: { [hash]: 31 } };
    server.on('GET /api/v2/persons/:id', () => ({ json: { data: record } }));
    const output = await runNewer({ ...person, operation: 'get', resolveProperties });
    expect(output).toEqual([{ ...record, custom_fields: own }]);
  });
});

test('a file is uploaded, and downloaded with its name', async () => {
  const binary = memoryBinary();
  const data = await binary.store(Buffer.from('Hello'), { fileName: 'a.txt', mimeType: 'text/plain' });
  const [uploaded] = await runNode(pipedrive, {
    parameters: { resource: 'file', additionalFields: { deal_id: '7' } },
    inputs: [[{ json: {}, binary: { data } }]],
    http: server.http,
    credentials,
    binary,
  });
  expect(uploaded?.[0]?.json).toEqual({ id: 7 });
  const [downloaded] = await runNode(pipedrive, {
    parameters: { ...file, operation: 'download' },
    http: server.http,
    credentials,
    binary,
  });
  expect(downloaded?.[0]).toMatchObject({
    json: { id: 7, name: 'a.txt' },
    binary: { data: { fileName: 'a.txt', mimeType: 'text/plain' } },
  });
});

test.each<[string, string, string]>([
  ['getActivityTypes', 'GET /v1/activityTypes', 'call'],
  ['getFilters', 'GET /v1/filters', '1'],
  ['getOrganizationIds', 'GET /v2/organizations?limit=500', '1'],
  ['getPersonIds', 'GET /v2/persons?limit=500', '1'],
  ['getPipelineIds', 'GET /v2/pipelines?limit=500', '1'],
  ['getProductIds', 'GET /v2/products?limit=500', '1'],
  ['getStageIds', 'GET /v2/stages?limit=500', '1'],
  ['getUserIds', 'GET /v1/users', '1'],
])('%s lists choices by %s', async (method, request, value) => {
  const context = accessOf(fakeContext({ http: server.http, credentials }), 0);
  const choices = await pipedrive.methods?.loadOptions?.[method]?.(context as never);
  expect([choices?.[0], sent()]).toEqual([{ name: 'Ada', value }, [[request, null]]]);
});

test('an error includes the code and text from Pipedrive', async () => {
  server.on('GET /api/v2/persons/:id', () => ({
    status: 404,
    json: { success: false, error: 'Person not found', code: 'ERR_NOT_FOUND', error_info: 'See the docs' },
  }));
  await expect(run({ ...person, operation: 'get' })).rejects.toMatchObject({
    message: 'Pipedrive: Person not found (ERR_NOT_FOUND)',
    description: 'See the docs',
  });
});

test('only the failed item has an error if the node continues', async () => {
  server.on('GET /api/v2/persons/:id', ({ count }) =>
    count === 1 ? { status: 404, json: { error: 'Person not found' } } : { json: { data: { id: 7 } } },
  );
  const output = await run({ ...person, operation: 'get' }, { json: [{}, {}], continueOnFail: true });
  expect(output).toEqual([{ error: 'Pipedrive: Person not found (404)' }, { id: 7 }]);
});

test.each<[Record<string, string>]>([[{ 'retry-after': '0' }], [{ 'x-ratelimit-reset': '1' }]])(
  'a rate limit with %j is waited for',
  async (headers) => {
    server.on('GET /api/v2/persons/:id', ({ count }) =>
      count === 1 ? { status: 429, headers, json: {} } : { json: { data: { id: 7 } } },
    );
    expect(await run({ ...person, operation: 'get' })).toEqual([{ id: 7 }]);
  },
);

test.each<[string, JsonObject]>([
  ['the parameter "name" is required', { ...person, operation: 'create' }],
  ['Pipedrive does not sort by this field', { ...person, ...getAll, additionalFields: { sort: 'name' } }],
  [
    'the field "email" has too many values',
    { ...person, operation: 'create', name: 'a', additionalFields: { email: Array.from({ length: 1001 }, () => 'a') } },
  ],
  [
    'more than 1000 custom properties are set',
    {
      ...person,
      operation: 'create',
      name: 'a',
      additionalFields: { customProperties: { property: Array.from({ length: 1001 }, () => ({ name: 'a', value: 1 })) } },
    },
  ],
])('before a request: %s', async (message, parameters) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});
