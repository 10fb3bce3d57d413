import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { zohoServer } from './testing/zoho-server.ts';
import { example } from './zoho-crm.example.ts';
import { zohoCrm } from './zoho-crm.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await zohoServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = {
  zohoOAuth2Api: {
    accessTokenUrl: 'https://accounts.zoho.eu/oauth/v2/token',
    oauthTokenData: { access_token: 't1', api_domain: 'https://www.zohoapis.eu' },
  },
};
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(zohoCrm, { parameters, http: server.http, credentials, ...more });
const sent = () =>
  server.received.map(({ method, url, body }): JsonValue[] => [
    `${method} ${url.replace('/crm/v8', '')}`,
    body.length > 0 ? JSON.parse(body.toString()).data[0] : null,
  ]);

test('the example', async () => {
  const fields = { Email: 'ada@example.com', Mailing_Address: { address_fields: { Mailing_City: 'Rome', Mailing_State: '' } } };
  const parameters = { ...example.parameters, lastName: 'Lovelace', additionalFields: fields };
  expect(await run(parameters)).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual([
    ['POST /Contacts/upsert', { Last_Name: 'Lovelace', Email: 'ada@example.com', Mailing_City: 'Rome' }],
  ]);
});

test.each<[JsonObject, string, JsonValue]>([
  [
    { accountName: 'Acme', additionalFields: { Parent_Account: '42', Owner: 'Ann', Employees: 5 } },
    'POST /Accounts',
    { Account_Name: 'Acme', Parent_Account: { id: '42' }, Owner: { name: 'Ann' }, Employees: 5 },
  ],
  [
    { resource: 'lead', Company: 'Acme', lastName: 'L', additionalFields: { Address: { address_fields: { City: 'Rome' } } } },
    'POST /Leads',
    { Company: 'Acme', Last_Name: 'L', City: 'Rome' },
  ],
  [
    {
      resource: 'deal',
      dealName: 'D',
      stage: 'Qualification',
      additionalFields: {
        Account_Name: 'Acme',
        Closing_Date: '2026-01-31T23:00:00.000Z',
        customFields: { customFields: [{ fieldId: 'Region', value: 'EMEA' }, { fieldId: '' }] },
      },
    },
    'POST /Deals',
    { Deal_Name: 'D', Stage: 'Qualification', Account_Name: { name: 'Acme' }, Closing_Date: '2026-01-31', Region: 'EMEA' },
  ],
  [
    {
      resource: 'invoice',
      subject: 'I',
      productDetails: [{ id: 77, quantity: 2, list_price: 9.5, Discount: '' }],
      additionalFields: { Billing_Address: { address_fields: { Billing_Code: '10115' } } },
    },
    'POST /Invoices',
    { Subject: 'I', Billing_Code: '10115', Invoiced_Items: [{ Product_Name: { id: '77' }, Quantity: 2, List_Price: 9.5 }] },
  ],
  [
    {
      resource: 'salesOrder',
      accountId: '42',
      subject: 'S',
      productDetails: '[{"id":"77","quantity":"2","list_price":"9.5"}]',
    },
    'POST /Sales_Orders',
    { Account_Name: { id: '42' }, Subject: 'S', Ordered_Items: [{ Product_Name: { id: '77' }, Quantity: 2, List_Price: 9.5 }] },
  ],
  [
    { resource: 'purchaseOrder', subject: 'P', vendorId: '9' },
    'POST /Purchase_Orders',
    { Subject: 'P', Vendor_Name: { id: '9' } },
  ],
  [{ resource: 'vendor', vendorName: '7' }, 'POST /Vendors', { Vendor_Name: '7' }],
  [
    { resource: 'product', operation: 'update', productId: '8', updateFields: { Product_Name: 'B', Taxable: false } },
    'PUT /Products/8',
    { Product_Name: 'B', Taxable: false },
  ],
  [
    {
      resource: 'product',
      operation: 'update',
      productId: '8',
      updateFields: { Unit_Price: '9.5', Taxable: 'true', Product_Code: 12 },
    },
    'PUT /Products/8',
    { Unit_Price: 9.5, Taxable: true, Product_Code: '12' },
  ],
  [
    { resource: 'quote', operation: 'update', quoteId: '8', updateFields: { Subject: 'Q' }, productDetails: [{ id: '77' }] },
    'PUT /Quotes/8',
    { Subject: 'Q', Quoted_Items: [{ Product_Name: { id: '77' } }] },
  ],
  [{ resource: 'lead', operation: 'get', leadId: 'a/b?c' }, 'GET /Leads/a%2Fb%3Fc', null],
  [{ resource: 'contact', operation: 'delete', contactId: '5' }, 'DELETE /Contacts/5', null],
])('%j is one request', async (parameters, request, body) => {
  expect(await run(parameters)).toHaveLength(1);
  expect(sent()).toEqual([[request, body]]);
});

test('records are listed to their end, or to the limit, with the first 50 fields or those that are chosen', async () => {
  const getAll = { resource: 'lead', operation: 'getAll' };
  const options = { fields: ['Email', 'Last_Name'], sort_order: 'asc', converted: 'both' };
  expect(await run({ ...getAll, returnAll: true, options: {} }, { json: [{}, {}] })).toHaveLength(4);
  expect(await run({ ...getAll, limit: 1, options })).toEqual([{ id: '1' }]);
  expect(await run({ resource: 'vendor', operation: 'getAll', options })).toEqual([]);
  const first = Array.from({ length: 50 }, (_, index) => `Field_${index + 1}`).join('%2C');
  const page = `GET /Leads?fields=${first}&per_page=200`;
  expect(sent().map(([request]) => request)).toEqual([
    'GET /settings/fields?module=Leads',
    ...[page, `${page}&page_token=p2`, page, `${page}&page_token=p2`],
    'GET /Leads?sort_order=asc&converted=both&fields=Email%2CLast_Name&per_page=1',
    'GET /Vendors?sort_order=asc&converted=both&fields=Email%2CLast_Name&per_page=50',
  ]);
});

test('a record that does not exist is an error', async () => {
  server.on('GET /crm/v8/:module/:id', () => ({ status: 204 }));
  await expect(run({ resource: 'lead', operation: 'get', leadId: '9' })).rejects.toThrow('the lead does not exist');
});

test('the fields of leads are listed', async () => {
  expect(await run({ resource: 'lead', operation: 'getFields' })).toHaveLength(60);
});

test.each<[JsonObject, string]>([
  [
    { accountName: 'A', additionalFields: { Employees: 'many' } },
    'the parameter "additionalFields.Employees" must be a number, but is the text "many"',
  ],
  [
    { resource: 'deal', dealName: 'D', stage: 'S', additionalFields: { Closing_Date: { toString: 1 } } },
    'the value of "Closing_Date" is not a date',
  ],
  [{ accountName: '' }, 'the parameter "accountName" is required'],
  [
    { resource: 'deal', dealName: 'D', stage: 'S', additionalFields: { Closing_Date: 'soon' } },
    'the value of "Closing_Date" is not a date',
  ],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('a credential without a data center must be connected again', async () => {
  const zohoOAuth2Api = { oauthTokenData: { access_token: 't1' } };
  await expect(run({ accountName: 'A' }, { credentials: { zohoOAuth2Api } })).rejects.toThrow(
    'the Zoho credential has no data center',
  );
});

test('a refused record is an error even if the request succeeds; other items are not affected', async () => {
  const details = { api_name: 'Email' };
  const refused = { data: [{ code: 'INVALID_DATA', status: 'error', message: 'invalid data', details }] };
  server.on('POST /crm/v8/:module', ({ count }) =>
    count === 1
      ? { status: 202, json: refused }
      : { status: 201, json: { data: [{ status: 'success', details: { id: '5' } }] } },
  );
  expect(await run({ accountName: 'A' }, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'Zoho CRM: invalid data: Email (INVALID_DATA)' },
    { id: '5' },
  ]);
  server.on('GET /crm/v8/:module/:id', () => ({
    status: 401,
    json: { code: 'INVALID_TOKEN', status: 'error', message: 'invalid oauth token', details: {} },
  }));
  await expect(run({ operation: 'get', accountId: '1' })).rejects.toThrow('Zoho CRM: invalid oauth token (INVALID_TOKEN)');
});

test('editors choose fields by name', async () => {
  const context = webhookContext({ http: server.http, credentials, parameters: { resource: 'salesOrder' } });
  const choices = (await zohoCrm.methods?.loadOptions?.['getFields']?.(context)) ?? [];
  expect(choices[0]).toEqual({ name: 'Field 1', value: 'Field_1' });
  expect(server.received[0]?.url).toBe('/crm/v8/settings/fields?module=Sales_Orders');
});
