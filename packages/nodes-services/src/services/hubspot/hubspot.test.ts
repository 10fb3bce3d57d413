import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './hubspot.example.ts';
import { hubspot } from './hubspot.ts';
import { hubspotServer, profile } from './testing/hubspot-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await hubspotServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { hubspotAppToken: { appToken: 'pat1' } };
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(hubspot, {
    parameters: { authentication: 'appToken', ...parameters },
    http: server.http,
    credentials,
    typeVersion: 2.1,
    ...more,
  });
const sent = () =>
  server.received.map(({ method, url, body }): JsonValue[] => [
    `${method} ${url}`,
    body.length > 0 ? JSON.parse(body.toString()) : null,
  ]);
const custom = (property: string, value: string) => ({ customPropertiesUi: { customPropertiesValues: [{ property, value }] } });
const email = { property: 'email', value: 'ada@a.test' };

test('the example', async () => {
  const additionalFields = { firstName: 'Ada', companyName: 'Acme', ...custom('lead_score', '5') };
  expect(await run({ ...example.parameters, email: 'ada@a.test', additionalFields })).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual([
    [
      'POST /contacts/v1/contact/createOrUpdate/email/ada%40a.test',
      {
        properties: [
          email,
          { property: 'company', value: 'Acme' },
          { property: 'firstname', value: 'Ada' },
          { property: 'lead_score', value: '5' },
        ],
      },
    ],
    ['GET /contacts/v1/contact/vid/51/profile', null],
  ]);
});

test('the default resource in version 1 is the deal', async () => {
  await run({ operation: 'delete', dealId: '9' }, { typeVersion: 1 });
  expect(sent()).toEqual([['DELETE /deals/v1/deal/9', null]]);
});

const located = (value: string) => ({ __rl: true, mode: 'id', value });
const filterGroupsUi = {
  filterGroupsValues: [
    {
      filtersUi: {
        filterValues: [
          { propertyName: 'email|string', value: 'ada@a.test' },
          { propertyName: 'age', operator: 'BETWEEN', value: 1, highValue: 5 },
          { propertyName: 'city', operator: 'IN', values: 'Rome, Oslo' },
          { propertyName: 'phone', operator: 'HAS_PROPERTY' },
        ],
      },
    },
  ],
};
const filterGroups = [
  {
    filters: [
      { propertyName: 'email', operator: 'EQ', value: 'ada@a.test' },
      { propertyName: 'age', operator: 'BETWEEN', value: '1', highValue: '5' },
      { propertyName: 'city', operator: 'IN', values: ['Rome', 'Oslo'] },
      { propertyName: 'phone', operator: 'HAS_PROPERTY' },
    ],
  },
];
const sorts = [{ propertyName: 'createdate', direction: 'DESCENDING' }];
const contact = { resource: 'contact' };
const company = { resource: 'company' };
const deal = { resource: 'deal' };
const ticket = { resource: 'ticket' };
const engagement = { resource: 'engagement' };

test.each<[JsonObject, string, JsonValue]>([
  [
    { ...contact, operation: 'upsert', email: 'ada@a.test', options: { resolveData: false } },
    'POST /contacts/v1/contact/createOrUpdate/email/ada%40a.test',
    { properties: [email] },
  ],
  [
    {
      ...contact,
      operation: 'get',
      contactId: located('51'),
      additionalFields: {
        listMemberships: true,
        propertiesCollection: { propertiesValues: { properties: ['email', 'city|string'], propertyMode: 'valueOnly' } },
      },
    },
    'GET /contacts/v1/contact/vid/51/profile?showListMemberships=true&property=email&property=city&propertyMode=value_only',
    null,
  ],
  [{ ...contact, operation: 'delete', contactId: '51' }, 'DELETE /contacts/v1/contact/vid/51', null],
  [
    { ...contact, operation: 'search', filterGroupsUi, additionalFields: { properties: ['email'], query: 'x' } },
    'POST /crm/v3/objects/contacts/search',
    { filterGroups, sorts, limit: 100, query: 'x', properties: ['email'] },
  ],
  [
    {
      ...company,
      operation: 'create',
      name: 'Acme',
      additionalFields: { companyDomainName: 'acme.test', closeDate: '2026-01-01' },
    },
    'POST /companies/v2/companies',
    {
      properties: [
        { name: 'name', value: 'Acme' },
        { name: 'closedate', value: '1767225600000' },
        { name: 'domain', value: 'acme.test' },
      ],
    },
  ],
  [
    {
      ...company,
      operation: 'update',
      companyId: located('7'),
      updateFields: { name: 'B', description: 'x', ...custom('tier', 'A') },
    },
    'PUT /companies/v2/companies/7',
    {
      properties: [
        { name: 'name', value: 'B' },
        { name: 'description', value: 'x' },
        { name: 'tier', value: 'A' },
      ],
    },
  ],
  [{ ...company, operation: 'get', companyId: 7 }, 'GET /companies/v2/companies/7', null],
  [{ ...company, operation: 'delete', companyId: '7' }, 'DELETE /companies/v2/companies/7', null],
  [
    { ...company, operation: 'searchByDomain', domain: 'acme.test', limit: 5 },
    'POST /companies/v2/domains/acme.test/companies',
    {
      limit: 5,
      offset: { isPrimary: true, companyId: 0 },
      requestOptions: { properties: ['name', 'domain', 'createdate', 'hs_lastmodifieddate'] },
    },
  ],
  [
    {
      ...deal,
      operation: 'create',
      stage: 'won',
      additionalFields: { dealName: 'D', amount: '5', associatedVids: ['51'], associatedCompany: '7' },
    },
    'POST /deals/v1/deal',
    {
      properties: [
        { name: 'dealstage', value: 'won' },
        { name: 'amount', value: '5' },
        { name: 'dealname', value: 'D' },
      ],
      associations: { associatedCompanyIds: [7], associatedVids: [51] },
    },
  ],
  [
    { ...deal, operation: 'update', dealId: located('9'), updateFields: { stage: 'lost', dealOwner: located('3') } },
    'PUT /deals/v1/deal/9',
    {
      properties: [
        { name: 'dealstage', value: 'lost' },
        { name: 'hubspot_owner_id', value: '3' },
      ],
    },
  ],
  [{ ...deal, operation: 'get', dealId: '9' }, 'GET /deals/v1/deal/9', null],
  [{ ...deal, operation: 'delete', dealId: '9' }, 'DELETE /deals/v1/deal/9', null],
  [{ ...deal, operation: 'search' }, 'POST /crm/v3/objects/deals/search', { filterGroups: [], sorts, limit: 100 }],
  [
    {
      ...ticket,
      operation: 'create',
      pipelineId: '0',
      stageId: '1',
      ticketName: 'Help',
      additionalFields: { description: 'x', priority: 'HIGH' },
    },
    'POST /crm-objects/v1/objects/tickets',
    [
      { name: 'hs_pipeline', value: '0' },
      { name: 'hs_pipeline_stage', value: '1' },
      { name: 'subject', value: 'Help' },
      { name: 'content', value: 'x' },
      { name: 'hs_ticket_priority', value: 'HIGH' },
    ],
  ],
  [
    { ...ticket, operation: 'update', ticketId: '4', updateFields: { stageId: '2' } },
    'PUT /crm-objects/v1/objects/tickets/4',
    [{ name: 'hs_pipeline_stage', value: '2' }],
  ],
  [
    { ...ticket, operation: 'get', ticketId: '4', additionalFields: { properties: 'subject' } },
    'GET /crm-objects/v1/objects/tickets/4?properties=subject',
    null,
  ],
  [{ ...ticket, operation: 'delete', ticketId: '4' }, 'DELETE /crm-objects/v1/objects/tickets/4', null],
  [
    {
      ...engagement,
      operation: 'create',
      type: 'task',
      metadata: { body: 'Call', subject: 'S', status: 'NOT_STARTED', forObjectType: 'CONTACT' },
      additionalFields: { associations: { contactIds: '51, 52' }, ownerId: '3' },
    },
    'POST /engagements/v1/engagements',
    {
      engagement: { type: 'TASK', ownerId: '3' },
      associations: { contactIds: [51, 52] },
      metadata: { body: 'Call', subject: 'S', status: 'NOT_STARTED', forObjectType: 'CONTACT' },
    },
  ],
  [
    {
      ...engagement,
      operation: 'create',
      type: 'email',
      metadata: { fromEmail: 'a@a.test', firstName: 'Ann', toEmail: ['b@b.test'], html: 'x' },
    },
    'POST /engagements/v1/engagements',
    {
      engagement: { type: 'EMAIL' },
      associations: {},
      metadata: { html: 'x', from: { email: 'a@a.test', firstName: 'Ann' }, to: [{ email: 'b@b.test' }], cc: [], bcc: [] },
    },
  ],
  [
    { ...engagement, operation: 'create', type: 'meeting', metadata: { title: 'M', startTime: '2026-01-01T00:00:00Z' } },
    'POST /engagements/v1/engagements',
    { engagement: { type: 'MEETING' }, associations: {}, metadata: { title: 'M', startTime: 1_767_225_600_000 } },
  ],
  [{ ...engagement, operation: 'get', engagementId: '3' }, 'GET /engagements/v1/engagements/3', null],
  [{ ...engagement, operation: 'delete', engagementId: '3' }, 'DELETE /engagements/v1/engagements/3', null],
  [
    { resource: 'contactList', operation: 'add', email: 'a@a.test', listId: '8' },
    'POST /contacts/v1/lists/8/add',
    { emails: ['a@a.test'] },
  ],
  [
    { resource: 'contactList', operation: 'add', by: 'id', id: '51', listId: '8' },
    'POST /contacts/v1/lists/8/add',
    { vids: [51] },
  ],
  [{ resource: 'contactList', operation: 'remove', id: '51', listId: '8' }, 'POST /contacts/v1/lists/8/remove', { vids: [51] }],
])('%j sends %s', async (parameters, request, body) => {
  expect(await run(parameters)).toHaveLength(1);
  expect(sent()).toEqual([[request, body]]);
});

test.each<[JsonObject, string]>([
  [{ ...contact, operation: 'getAll', limit: 5 }, 'GET /contacts/v1/lists/all/contacts/all?count=5'],
  [{ ...contact, operation: 'getRecentlyCreatedUpdated' }, 'GET /contacts/v1/lists/recently_updated/contacts/recent?count=100'],
  [
    { ...company, operation: 'getAll', options: { properties: ['name'] } },
    'GET /companies/v2/companies/paged?properties=name&limit=100',
  ],
  [{ ...company, operation: 'getRecentlyModified' }, 'GET /companies/v2/companies/recent/modified?count=100'],
  [
    { ...company, operation: 'getRecentlyCreated', additionalFields: { since: '2026-01-01T00:00:00Z' } },
    'GET /companies/v2/companies/recent/created?since=1767225600000&count=100',
  ],
  [
    { ...deal, operation: 'getAll', returnAll: true, filters: { includeAssociations: true, propertiesWithHistory: 'amount' } },
    'GET /deals/v1/deal/paged?includeAssociations=true&propertiesWithHistory=amount&limit=250',
  ],
  [{ ...deal, operation: 'getRecentlyCreatedUpdated' }, 'GET /deals/v1/deal/recent/modified?count=100'],
  [
    { ...ticket, operation: 'getAll' },
    'GET /crm-objects/v1/objects/tickets/paged?properties=subject&properties=content&properties=hs_pipeline&properties=hs_pipeline_stage&limit=100',
  ],
  [{ ...engagement, operation: 'getAll' }, 'GET /engagements/v1/engagements/paged?limit=100'],
])('%j lists by %s', async (parameters, request) => {
  expect(await run(parameters)).toHaveLength(2);
  expect(sent()).toEqual([[request, null]]);
});

test.each<JsonObject>([
  { ...company, operation: 'getRecentlyCreated', additionalFields: { since: 'soon' } },
  { ...deal, operation: 'getRecentlyCreatedUpdated', filters: { since: 'soon' } },
])('%j is refused: without its time, the list would have all records', async (parameters) => {
  await expect(run(parameters)).rejects.toMatchObject({ message: expect.stringContaining('since" is not a date') });
  expect(sent()).toEqual([]);
});

test('a ticket is associated with contacts and companies', async () => {
  const additionalFields = { associatedContactIds: ['51'], associatedCompanyIds: '7' };
  await run({ ...ticket, operation: 'create', pipelineId: '0', stageId: '1', ticketName: 'Help', additionalFields });
  expect(
    sent()
      .slice(1)
      .map(([, body]) => body),
  ).toEqual([
    { fromObjectId: 4, toObjectId: 51, category: 'HUBSPOT_DEFINED', definitionId: 16 },
    { fromObjectId: 4, toObjectId: 7, category: 'HUBSPOT_DEFINED', definitionId: 26 },
  ]);
});

test('lists are read to their end, or to the limit', async () => {
  server.on('GET /contacts/v1/lists/recently_updated/contacts/recent', ({ query }) => ({
    json: query['vidOffset']
      ? { contacts: [{ vid: 2 }], 'has-more': false }
      : { contacts: [{ vid: 1 }], 'has-more': true, 'vid-offset': 1, 'time-offset': 5 },
  }));
  const recent = { ...contact, operation: 'getRecentlyCreatedUpdated' };
  expect(await run({ ...recent, returnAll: true })).toEqual([{ vid: 1 }, { vid: 2 }]);
  expect(sent()[1]?.[0]).toContain('vidOffset=1&timeOffset=5');
  expect(await run({ ...recent, limit: 1 })).toEqual([{ vid: 1 }]);
  server.on('POST /crm/v3/objects/contacts/search', ({ body }) => ({
    json:
      (body as JsonObject)['after'] === '1'
        ? { results: [{ id: '2' }] }
        : { results: [{ id: '1' }], paging: { next: { after: '1' } } },
  }));
  expect(await run({ ...contact, operation: 'search', returnAll: true })).toEqual([{ id: '1' }, { id: '2' }]);
  server.on('POST /companies/v2/domains/:domain/companies', ({ count }) => ({
    json: { results: [{ companyId: count }], hasMore: count < 2, offset: { companyId: 1, isPrimary: true } },
  }));
  const byDomain = { ...company, operation: 'searchByDomain', domain: 'a.test', returnAll: true };
  expect(await run(byDomain)).toEqual([{ companyId: 1 }, { companyId: 2 }]);
});

test('an error includes the text and the category from HubSpot', async () => {
  server.on('GET /deals/v1/deal/:id', () => ({
    status: 403,
    json: { status: 'error', message: 'This app lacks the scope', category: 'MISSING_SCOPES' },
  }));
  await expect(run({ ...deal, operation: 'get', dealId: '9' })).rejects.toMatchObject({
    message: 'HubSpot: This app lacks the scope (MISSING_SCOPES)',
    details: { status: 403 },
  });
});

test('only the failed item has an error if the node continues', async () => {
  server.on('GET /contacts/v1/contact/vid/:id/profile', ({ count }) =>
    count === 1 ? { status: 404, json: { status: 'error', message: 'contact does not exist' } } : { json: profile },
  );
  const output = await run({ ...contact, operation: 'get', contactId: '51' }, { json: [{}, {}], continueOnFail: true });
  expect(output).toEqual([{ error: 'HubSpot: contact does not exist (404)' }, profile]);
});

test('a rate-limited request is retried', async () => {
  server.on('GET /deals/v1/deal/:id', ({ count }) =>
    count === 1 ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : { json: { dealId: 9 } },
  );
  expect(await run({ ...deal, operation: 'get', dealId: '9' })).toEqual([{ dealId: 9 }]);
});

test('times without an offset are in the time zone of the workflow', async () => {
  const more = { timezone: 'America/New_York' };
  const additionalFields = { timestamp: '2026-01-01T00:00:00' };
  const metadata = { startTime: '2026-07-01 12:00' };
  await run({ resource: 'engagement', operation: 'create', type: 'meeting', metadata, additionalFields }, more);
  expect(sent()[0]?.[1]).toEqual({
    engagement: { type: 'MEETING', timestamp: Date.UTC(2026, 0, 1, 5) },
    associations: {},
    metadata: { startTime: Date.UTC(2026, 6, 1, 16) },
  });
  await run({ resource: 'deal', operation: 'create', stage: 's', additionalFields: { closeDate: '2026-01-01' } }, more);
  expect(sent()[1]?.[1]).toMatchObject({ properties: [{}, { name: 'closedate', value: String(Date.UTC(2026, 0, 1, 5)) }] });
});
