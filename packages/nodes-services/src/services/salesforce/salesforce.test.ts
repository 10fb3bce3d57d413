import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue, MethodContext } from '@sluice/node-sdk';
import { type FakeRun, memoryBinary, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { example } from './salesforce.example.ts';
import { salesforce } from './salesforce.ts';
import { salesforceServer } from './testing/salesforce-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await salesforceServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = {
  salesforceOAuth2Api: { oauthTokenData: { access_token: 't1', instance_url: 'https://acme.my.salesforce.com' } },
};
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(salesforce, { parameters, http: server.http, credentials, ...more });
const sent = () =>
  server.received.map(({ method, url, body }): JsonValue[] => [
    `${method} ${decodeURIComponent(url.replace('/services/data/v62.0', '').replaceAll('+', ' '))}`,
    body.length > 0 ? JSON.parse(body.toString()) : null,
  ]);
const custom = (fieldId: string, value: JsonValue) => ({ customFieldsUi: { customFieldsValues: [{ fieldId, value }] } });
const done = { errors: [], success: true };

test('the example', async () => {
  const fields = { email: 'ada@example.com', ...custom('Region__c', 'EMEA') };
  const parameters = { ...example.parameters, company: 'Acme', lastname: 'Lovelace', additionalFields: fields };
  expect(await run(parameters)).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual([
    ['POST /sobjects/Lead', { Company: 'Acme', LastName: 'Lovelace', Email: 'ada@example.com', Region__c: 'EMEA' }],
  ]);
});

test.each<[JsonObject, string, JsonValue]>([
  [
    { resource: 'account', operation: 'create', name: 'Acme', additionalFields: { billingCity: 'Rome', owner: '005' } },
    'POST /sobjects/Account',
    { Name: 'Acme', BillingCity: 'Rome', OwnerId: '005' },
  ],
  [
    { resource: 'contact', lastname: 'L', additionalFields: { acconuntId: '001', birthdate: '1990-12-31T23:30:00Z' } },
    'POST /sobjects/Contact',
    { LastName: 'L', AccountId: '001', Birthdate: '1991-01-01' },
  ],
  [
    {
      resource: 'opportunity',
      name: 'O',
      closeDate: '2026-01-31T10:00:00',
      stageName: 'Qualification',
      additionalFields: { amount: 5, pricebook2Id: '01s' },
    },
    'POST /sobjects/Opportunity',
    { Name: 'O', CloseDate: '2026-01-31', StageName: 'Qualification', Amount: 5, Pricebook2Id: '01s' },
  ],
  [
    { resource: 'task', status: 'Open', additionalFields: { activityDate: '2026-01-31', whatId: '001' } },
    'POST /sobjects/Task',
    { Status: 'Open', ActivityDate: '2026-01-31', WhatId: '001' },
  ],
  [{ resource: 'case', type: 'Question' }, 'POST /sobjects/Case', { Type: 'Question' }],
  [
    { operation: 'upsert', externalId: 'Key__c', externalIdValue: 'a/b', company: 'C', lastname: 'L', additionalFields: {} },
    'PATCH /sobjects/Lead/Key__c/a/b',
    { Company: 'C', LastName: 'L' },
  ],
  [{ operation: 'get', leadId: '00Q' }, 'GET /sobjects/Lead/00Q', null],
  [{ resource: 'user', operation: 'get', userId: '005' }, 'GET /sobjects/User/005', null],
  [{ operation: 'getSummary' }, 'GET /sobjects/Lead', null],
  [
    { resource: 'contact', operation: 'addNote', contactId: '003', title: 'T', options: { body: 'B', isPrivate: true } },
    'POST /sobjects/Note',
    { Title: 'T', ParentId: '003', Body: 'B', IsPrivate: true },
  ],
  [
    { operation: 'addToCampaign', leadId: '00Q', campaignId: '701', options: { status: 'Sent' } },
    'POST /sobjects/CampaignMember',
    { LeadId: '00Q', CampaignId: '701', Status: 'Sent' },
  ],
  [
    { resource: 'case', operation: 'addComment', caseId: '500', options: { commentBody: 'C' } },
    'POST /sobjects/CaseComment',
    { ParentId: '500', CommentBody: 'C' },
  ],
  [
    { resource: 'customObject', customObject: 'Site__c', ...custom('Name', 'S'), additionalFields: { recordTypeId: '012' } },
    'POST /sobjects/Site__c',
    { Name: 'S', RecordTypeId: '012' },
  ],
  [
    {
      resource: 'customObject',
      operation: 'upsert',
      customObject: 'Site__c',
      externalId: 'Key__c',
      externalIdValue: '7',
      ...custom('Size__c', 3),
    },
    'PATCH /sobjects/Site__c/Key__c/7',
    { Size__c: 3 },
  ],
  [{ resource: 'customObject', operation: 'get', customObject: 'Site__c', recordId: 'a01' }, 'GET /sobjects/Site__c/a01', null],
  [
    { resource: 'flow', operation: 'invoke', apiName: 'F', variablesUi: { variablesValues: [{ name: 'a', value: '1' }] } },
    'POST /actions/custom/flow/F',
    { inputs: [{ a: '1' }] },
  ],
  [
    { resource: 'flow', operation: 'invoke', apiName: 'F', jsonParameters: true, variablesJson: '{"a":1}' },
    'POST /actions/custom/flow/F',
    { inputs: [{ a: 1 }] },
  ],
])('%j is one request', async (parameters, request, body) => {
  expect(await run(parameters, { timezone: 'Europe/Berlin' })).toHaveLength(1);
  expect(sent()).toEqual([[request, body]]);
});

test.each<[JsonObject, string, JsonValue]>([
  [
    { operation: 'update', leadId: '00Q', updateFields: { status: 'Closed' } },
    'PATCH /sobjects/Lead/00Q',
    { Status: 'Closed' },
  ],
  [{ operation: 'delete', leadId: '00Q' }, 'DELETE /sobjects/Lead/00Q', null],
  [
    {
      resource: 'customObject',
      operation: 'update',
      customObject: 'Site__c',
      recordId: 'a01',
      ...custom('Size__c', 4),
    },
    'PATCH /sobjects/Site__c/a01',
    { Size__c: 4 },
  ],
  [
    { resource: 'customObject', operation: 'delete', customObject: 'Site__c', recordId: 'a01' },
    'DELETE /sobjects/Site__c/a01',
    null,
  ],
])('%j returns that it succeeded', async (parameters, request, body) => {
  expect(await run(parameters)).toEqual([done]);
  expect(sent()).toEqual([[request, body]]);
});

test('records are listed to their end, or to the limit', async () => {
  const getAll = { resource: 'account', operation: 'getAll' };
  expect(await run({ ...getAll, returnAll: true })).toEqual([{ Id: '1' }, { Id: '2' }]);
  expect(await run({ ...getAll, limit: 1, options: { fields: ['Id', 'Owner.Name'] } })).toEqual([{ Id: '1' }]);
  expect(sent().map(([request]) => request)).toEqual([
    'GET /query?q=SELECT Id,Name,Type FROM Account',
    'GET /query/c1-2000',
    'GET /query?q=SELECT Id,Owner.Name FROM Account LIMIT 1',
  ]);
});

test('the value of a condition is written by the type of its field, and quoted text cannot end', async () => {
  const conditionValues = [
    { field: 'Name', value: "O'Neil\\" },
    { field: 'amount', operation: '>=', value: '5.5' },
    { field: 'CreatedDate', operation: '>', value: '2026-01-31T00:00:00Z' },
    { field: 'CreatedDate', operation: '<=', value: 'LAST_N_DAYS:7' },
    { field: 'IsActive__c', value: true },
    { field: 'Owner.Name', operation: 'equal', value: '7' },
    { field: 'Name', value: '' },
  ];
  const parameters = { resource: 'account', operation: 'getAll', limit: 1, options: { conditionsUi: { conditionValues } } };
  await run(parameters, { json: [{}, {}] });
  const where = [
    "Name = 'O\\'Neil\\\\'",
    'amount >= 5.5',
    'CreatedDate > 2026-01-31T00:00:00Z',
    'CreatedDate <= LAST_N_DAYS:7',
    'IsActive__c = true',
    "Owner.Name = '7'",
    'Name = null',
  ].join(' AND ');
  const query = `GET /query?q=SELECT Id,Name,Type FROM Account WHERE ${where} LIMIT 1`;
  expect(sent().map(([request]) => request)).toEqual(['GET /sobjects/Account/describe', query, query]);
});

test.each<[JsonObject, string]>([
  [{ field: 'Name FROM User', value: 'x' }, '"Name FROM User" is not a name in Salesforce'],
  [{ field: 'Amount', value: '5 OR Id != null' }, 'the value "5 OR Id != null" of a condition is not a number'],
  [{ field: 'CreatedDate', value: "2026-01-31' OR" }, 'the value "2026-01-31\' OR" of a condition is not a date'],
  [{ field: 'IsActive__c', value: 'maybe' }, 'the value "maybe" of a condition is not true or false'],
  [{ field: 'Name', operation: 'LIKE', value: 'x' }, 'a condition has an unknown operation'],
])('the condition %j is refused before the query', async (condition, message) => {
  const options = { conditionsUi: { conditionValues: [condition] } };
  await expect(run({ resource: 'account', operation: 'getAll', options })).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(sent()).toEqual([['GET /sobjects/Account/describe', null]]);
});

test('a query that the author wrote is read to its end', async () => {
  const query = "SELECT Id FROM Opportunity WHERE StageName = 'Won'";
  expect(await run({ resource: 'search', query })).toEqual([{ Id: '1' }, { Id: '2' }]);
  expect(sent()[0]?.[0]).toBe(`GET /query?q=${query}`);
});

test('files are uploaded and attached', async () => {
  const binary = memoryBinary();
  const data = await binary.store(Buffer.from('Hello'), { fileName: 'a.txt', mimeType: 'text/plain' });
  const big = { ...data, fileSize: 35_000_001 };
  const more: FakeRun = { binary, inputs: [[{ json: {}, binary: { data, big } }]] };
  const upload = { resource: 'document', title: 'T', additionalFields: { linkToObjectId: '001' } };
  await run(upload, more);
  await run({ ...upload, additionalFields: { fileExtension: '.md' } }, more);
  await run({ resource: 'attachment', parentId: '001', name: 'N', additionalFields: { description: 'D' } }, more);
  expect(sent()).toEqual([
    [
      'POST /sobjects/ContentVersion',
      {
        Title: 'T',
        ContentLocation: 'S',
        PathOnClient: 'T.txt',
        VersionData: 'SGVsbG8=',
        FirstPublishLocationId: '001',
      },
    ],
    ['POST /sobjects/ContentVersion', { Title: 'T', ContentLocation: 'S', PathOnClient: 'T.md', VersionData: 'SGVsbG8=' }],
    ['POST /sobjects/Attachment', { Name: 'N', ParentId: '001', Body: 'SGVsbG8=', Description: 'D' }],
  ]);
  await expect(run({ ...upload, binaryPropertyName: 'big' }, more)).rejects.toThrow('the file is larger than 35 MB');
});

test('flows are listed', async () => {
  expect(await run({ resource: 'flow', limit: 1 })).toEqual([{ name: 'A' }]);
});

test.each<[JsonObject, string]>([
  [{ company: 'C', lastname: '' }, 'the parameter "lastname" is required'],
  [{ resource: 'opportunity', name: 'O', closeDate: 'soon', stageName: 'S' }, 'the parameter "closeDate" is not a date'],
  [{ authentication: 'jwt' }, 'a Salesforce credential of type JWT is not supported yet'],
  [{ resource: 'account', operation: 'getAll', options: { fields: 'Id; DROP' } }, '"Id; DROP" is not a name in Salesforce'],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('a credential without an organization must be connected again', async () => {
  const salesforceOAuth2Api = { oauthTokenData: { access_token: 't1' } };
  await expect(run({ operation: 'get', leadId: '1' }, { credentials: { salesforceOAuth2Api } })).rejects.toThrow(
    'the Salesforce credential has no organization',
  );
});

test('an error includes code, text, and fields; a failed item does not affect the others, and a request over the limit is retried', async () => {
  server.on('GET /services/data/v62.0/sobjects/:sobject/:id', ({ count }) => {
    if (count === 1)
      return {
        status: 400,
        json: [{ message: 'Required fields are missing', errorCode: 'REQUIRED_FIELD_MISSING', fields: ['Name'] }],
      };
    return count === 2 ? { status: 429, headers: { 'retry-after': '0' }, json: [] } : { json: { Id: '1' } };
  });
  expect(await run({ operation: 'get', leadId: '1' }, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'Salesforce: Required fields are missing: Name (REQUIRED_FIELD_MISSING)' },
    { Id: '1' },
  ]);
});

test.each<[string, JsonObject, string[]]>([
  ['getCustomFields', {}, ['IsActive__c', 'Key__c']],
  ['getExternalIdFields', { resource: 'account' }, ['Key__c']],
  [
    'getFields',
    { resource: 'customObject', customObject: 'Site__c' },
    ['Name', 'Amount', 'CreatedDate', 'IsActive__c', 'Key__c'],
  ],
  ['getFields', { resource: 'customObject' }, []],
  ['getCustomObjects', {}, ['Site__c']],
])('editors choose by name: %s with %j', async (method, parameters, values) => {
  const context: MethodContext = webhookContext({ http: server.http, credentials, parameters });
  const options = (await salesforce.methods?.loadOptions?.[method]?.(context)) ?? [];
  expect(options.map(({ value }) => value)).toEqual(values);
});
