import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue, MethodContext } from '@sluice/node-sdk';
import { type FakeRun, memoryBinary, runForJson, runNode } from '@sluice/nodes-base/testing';
import type { ServiceItem } from '../../shared/service-item.ts';
import type { ApiServer } from '../../testing/api-server.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { linesOf } from './lines.ts';
import { example } from './quickbooks.example.ts';
import { quickbooks } from './quickbooks.ts';
import { quickbooksServer } from './testing/quickbooks-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await quickbooksServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const token = { access_token: 't', callbackQueryString: { realmId: '42' } };
const credentials = {
  quickBooksOAuth2Api: { clientId: 'c', clientSecret: 's', environment: 'production', oauthTokenData: token },
};
const runOf = (parameters: JsonObject, more: FakeRun = {}): FakeRun => ({
  parameters,
  http: server.http,
  credentials,
  ...more,
});
const run = (parameters: JsonObject, more?: FakeRun) => runForJson(quickbooks, runOf(parameters, more));
const sent = () =>
  server.received.map(({ method, url, body }): [string, JsonValue] => [
    `${method} ${decodeURIComponent(url.replace('/v3/company/42', '').replaceAll('+', ' '))}`,
    body.length > 0 ? JSON.parse(body.toString()) : null,
  ]);
const written = { Id: '9', SyncToken: '0' };
const version = { Id: '9', SyncToken: '3' };
const line = { DetailType: 'SalesItemLineDetail', itemId: 1, Amount: '120', Description: 'Work', TaxCodeRef: 'NON' };
const sentLine = {
  DetailType: 'SalesItemLineDetail',
  Amount: 120,
  Description: 'Work',
  SalesItemLineDetail: { ItemRef: { value: '1' }, TaxCodeRef: { value: 'NON' } },
};

test('the example', async () => {
  const parameters = { ...example.parameters, CustomerRef: 7, Line: [line] };
  expect(await run(parameters)).toEqual(example.outputs?.[0]);
  const json = {
    CustomerRef: { value: '7' },
    BillEmail: { Address: 'ada@example.com' },
    DueDate: '2026-02-01',
    Line: [sentLine],
  };
  expect(sent()).toEqual([['POST /invoice', json]]);
});

test('no member of a line becomes its prototype', () => {
  const lines = JSON.parse('[{"itemId":1,"Amount":1,"__proto__":{"SalesItemLineDetail":{"Qty":9}}}]');
  const item = { index: 0, context: { parameter: () => lines } } as unknown as ServiceItem;
  const [firstLine] = linesOf(item, 'SalesItemLineDetail');
  expect(firstLine?.['SalesItemLineDetail']).toEqual({ ItemRef: { value: '1' } });
});

const address = { details: { City: 'Rome', Line1: 'Via 1', PostalCode: '1', CountrySubDivisionCode: 'RM' } };

test.each<[JsonObject, [string, JsonValue][], JsonObject]>([
  [
    {
      operation: 'create',
      displayName: 'Ada',
      additionalFields: {
        PrimaryEmailAddr: 'a@b.example',
        PrimaryPhone: 123,
        BillAddr: address,
        GivenName: 'Ada',
        FamilyName: 'L',
        CompanyName: 'C',
        Balance: '5',
        Active: true,
      },
    },
    [
      [
        'POST /customer',
        {
          DisplayName: 'Ada',
          PrimaryEmailAddr: { Address: 'a@b.example' },
          PrimaryPhone: { FreeFormNumber: '123' },
          BillAddr: address.details,
          GivenName: 'Ada',
          FamilyName: 'L',
          CompanyName: 'C',
          Balance: 5,
          Active: true,
        },
      ],
    ],
    written,
  ],
  [{ customerId: '9' }, [['GET /customer/9', null]], version],
  [
    { operation: 'update', customerId: '9', updateFields: { DisplayName: 'B' } },
    [
      ['GET /customer/9', null],
      ['POST /customer', { ...version, sparse: true, DisplayName: 'B' }],
    ],
    written,
  ],
  [
    { resource: 'vendor', operation: 'create', displayName: 'V', additionalFields: {} },
    [['POST /vendor', { DisplayName: 'V' }]],
    written,
  ],
  [
    { resource: 'vendor', operation: 'update', vendorId: 9, updateFields: { CompanyName: 'C' } },
    [
      ['GET /vendor/9', null],
      ['POST /vendor', { ...version, CompanyName: 'C' }],
    ],
    written,
  ],
  [{ resource: 'vendor', operation: 'get', vendorId: '9' }, [['GET /vendor/9', null]], version],
  [
    { resource: 'employee', operation: 'create', FamilyName: 'L', GivenName: 'A', additionalFields: { PrimaryAddr: address } },
    [['POST /employee', { FamilyName: 'L', GivenName: 'A', PrimaryAddr: address.details }]],
    written,
  ],
  [
    { resource: 'employee', operation: 'update', employeeId: '9', updateFields: { Active: 'false' } },
    [
      ['GET /employee/9', null],
      ['POST /employee', { ...version, Active: false }],
    ],
    written,
  ],
  [
    {
      resource: 'bill',
      operation: 'create',
      VendorRef: '5',
      Line: [{ DetailType: 'AccountBasedExpenseLineDetail', accountId: '8', Amount: 3 }],
      additionalFields: { DueDate: '2026-02-01' },
    },
    [
      [
        'POST /bill',
        {
          VendorRef: { value: '5' },
          DueDate: '2026-02-01',
          Line: [
            {
              DetailType: 'AccountBasedExpenseLineDetail',
              Amount: 3,
              AccountBasedExpenseLineDetail: { AccountRef: { value: '8' } },
            },
          ],
        },
      ],
    ],
    written,
  ],
  [
    {
      resource: 'bill',
      operation: 'update',
      billId: '9',
      updateFields: { VendorRef: '6' },
      Line: '[{"itemId":"2","Amount":1}]',
    },
    [
      ['GET /bill/9', null],
      [
        'POST /bill',
        {
          ...version,
          VendorRef: { value: '6' },
          Line: [
            {
              DetailType: 'ItemBasedExpenseLineDetail',
              Amount: 1,
              ItemBasedExpenseLineDetail: { ItemRef: { value: '2' } },
            },
          ],
        },
      ],
    ],
    written,
  ],
  [
    { resource: 'bill', operation: 'delete', billId: '9' },
    [
      ['GET /bill/9', null],
      ['POST /bill?operation=delete', version],
    ],
    written,
  ],
  [
    {
      resource: 'estimate',
      operation: 'create',
      CustomerRef: '7',
      Line: [{ itemId: '1', UnitPrice: 5, Qty: 3 }],
      additionalFields: {
        CustomerMemo: 'Hi',
        TxnTaxDetail: 2,
        CustomFields: { Field: [{ DefinitionId: '1', StringValue: 'x', Type: 'StringType' }] },
      },
    },
    [
      [
        'POST /estimate',
        {
          CustomerRef: { value: '7' },
          CustomerMemo: { value: 'Hi' },
          TxnTaxDetail: { TotalTax: 2 },
          Line: [
            {
              DetailType: 'SalesItemLineDetail',
              Amount: 15,
              SalesItemLineDetail: { ItemRef: { value: '1' }, UnitPrice: 5, Qty: 3 },
            },
          ],
          CustomField: [{ DefinitionId: '1', StringValue: 'x', Type: 'StringType' }],
        },
      ],
    ],
    written,
  ],
  [
    { resource: 'estimate', operation: 'send', estimateId: '9', email: 'a@b.example' },
    [['POST /estimate/9/send?sendTo=a@b.example', null]],
    version,
  ],
  [
    { resource: 'invoice', operation: 'update', invoiceId: '9', updateFields: { DueDate: '2026-03-01', BillEmail: '' } },
    [
      ['GET /invoice/9', null],
      ['POST /invoice', { ...version, sparse: true, DueDate: '2026-03-01' }],
    ],
    written,
  ],
  [
    { resource: 'invoice', operation: 'send', invoiceId: '9', email: 'a@b.example' },
    [['POST /invoice/9/send?sendTo=a@b.example', null]],
    version,
  ],
  [
    { resource: 'invoice', operation: 'void', invoiceId: '9' },
    [
      ['GET /invoice/9', null],
      ['POST /invoice?operation=void', version],
    ],
    written,
  ],
  [{ resource: 'item', itemId: '9' }, [['GET /item/9', null]], version],
  [
    { resource: 'payment', operation: 'create', CustomerRef: '7', TotalAmt: 12.5, additionalFields: { TxnDate: '2026-01-01' } },
    [['POST /payment', { CustomerRef: { value: '7' }, TotalAmt: 12.5, TxnDate: '2026-01-01' }]],
    written,
  ],
  [
    { resource: 'payment', operation: 'void', paymentId: '9' },
    [
      ['GET /payment/9', null],
      ['POST /payment?operation=update&include=void', { ...version, sparse: true }],
    ],
    written,
  ],
  [{ resource: 'purchase', purchaseId: '9' }, [['GET /purchase/9', null]], version],
])('%j sends %j', async (parameters, requests, produced) => {
  expect(await run(parameters)).toEqual([produced]);
  expect(sent()).toEqual(requests);
});

test.each(['bill', 'customer', 'employee', 'estimate', 'invoice', 'item', 'payment', 'purchase', 'vendor'])(
  'objects of the kind %s are listed',
  async (resource) => {
    const filters = { query: "WHERE Metadata.LastUpdatedTime > '2026-01-01'" };
    expect(await run({ resource, operation: 'getAll', limit: 5, filters })).toMatchObject([{ Id: '1' }]);
    const name = `${resource[0]?.toUpperCase()}${resource.slice(1)}`;
    const query = `SELECT * FROM ${name} ${filters.query} STARTPOSITION 1 MAXRESULTS 5`;
    expect(sent()).toEqual([[`GET /query?query=${query}`, null]]);
  },
);

test('a list is read to its end', async () => {
  server.on('GET /v3/company/42/query', ({ query }) => {
    const start = Number(/STARTPOSITION (\d+)/.exec(String(query['query']))?.[1]);
    const count = start === 1 ? 1_000 : 1;
    return { json: { QueryResponse: { Item: Array.from({ length: count }, (_, at) => ({ Id: String(start + at) })) } } };
  });
  const output = await run({ resource: 'item', operation: 'getAll', returnAll: true });
  expect([output.length, output.at(-1)]).toEqual([1_001, { Id: '1001' }]);
  expect(sent()).toHaveLength(2);
});

test('the PDF of an invoice is a file', async () => {
  const binary = memoryBinary();
  const parameters = { resource: 'invoice', operation: 'get', invoiceId: '9', download: true, fileName: 'bill' };
  const [items] = await runNode(quickbooks, runOf(parameters, { binary }));
  const file = items?.[0]?.binary?.['data'];
  expect(file).toMatchObject({ fileName: 'bill.pdf', mimeType: 'application/pdf' });
  expect(Buffer.from(await binary.read(file as never)).toString()).toBe('%PDF');
});

test('a report has an item for each transaction, or is returned unchanged', async () => {
  const filters = {
    columns: ['tx_date', 'amount'],
    dateRangeCustom: { dateRangeCustomProperties: { start_date: '2026-01-01T00:00:00', end_date: '2026-01-31' } },
    sort_order: 'descend',
  };
  expect(await run({ resource: 'transaction', filters })).toEqual([
    { Date: '2026-01-01', Amount: '5.00' },
    { Date: '2026-01-02', Amount: '7.00' },
  ]);
  const query = 'columns=tx_date,amount&start_date=2026-01-01&end_date=2026-01-31&sort_order=descend';
  expect(sent()).toEqual([[`GET /reports/TransactionList?${query}`, null]]);
  expect(await run({ resource: 'transaction', simple: false })).toMatchObject([{ Header: { ReportName: 'TransactionList' } }]);
});

const fault = (code: string, Message: string, Detail: string) => ({
  status: 400,
  json: { Fault: { Error: [{ Message, Detail, code }], type: 'ValidationFault' } },
});

test('an error includes text and code, and the node may continue', async () => {
  server.on('GET /v3/company/42/customer/:id', ({ count }) =>
    count === 1 ? fault('610', 'Object Not Found', 'The object is made inactive') : { json: { Customer: version } },
  );
  expect(await run({ customerId: '9' }, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'QuickBooks: Object Not Found: The object is made inactive (610)' },
    version,
  ]);
});

test('an expired token has a hint', async () => {
  server.on('GET /v3/company/42/customer/:id', () => ({
    status: 401,
    json: { fault: { error: [{ message: 'AuthenticationFailed', code: '3200' }], type: 'AUTHENTICATION' } },
  }));
  await expect(run({ customerId: '9' })).rejects.toMatchObject({
    message: 'QuickBooks: AuthenticationFailed (3200)',
    description: 'Connect the credential again',
  });
});

test('a rate-limited request is retried', async () => {
  server.on('GET /v3/company/42/customer/:id', ({ count }) =>
    count === 1 ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : { json: { Customer: version } },
  );
  expect(await run({ customerId: '9' })).toEqual([version]);
});

test.each<[JsonObject, string]>([
  [{ operation: 'create' }, 'the parameter "displayName" is required'],
  [{ resource: 'invoice', operation: 'create', CustomerRef: '7', Line: ['x'] }, 'the parameter "Line" is not a list of lines'],
  [{ resource: 'invoice', operation: 'create', CustomerRef: '7', Line: [{ itemId: '1' }] }, 'a line has no amount'],
  [
    { resource: 'invoice', operation: 'create', CustomerRef: '7', Line: [{ Amount: '$5' }] },
    'the value of "Amount" is not a number',
  ],
  [{ resource: 'payment', operation: 'create', CustomerRef: '7', TotalAmt: 'x' }, 'the value of "TotalAmt" is not a number'],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('a credential without a company is rejected', async () => {
  const unconnected = { quickBooksOAuth2Api: { oauthTokenData: { access_token: 't' } } };
  await expect(run({ customerId: '9' }, { credentials: unconnected })).rejects.toThrow('has no company');
});

test('sandbox requests use the sandbox host', async () => {
  const { quickBooksOAuth2Api: connected } = credentials;
  const urls: string[] = [];
  const request = async ({ url }: { url: string }) => {
    urls.push(url);
    return { status: 200, statusText: '', headers: {}, body: Buffer.from('{}'), url };
  };
  const sandbox = { quickBooksOAuth2Api: { ...connected, environment: 'sandbox' } };
  await run({ customerId: '9' }, { credentials: sandbox, http: { request } });
  expect(urls).toEqual(['https://sandbox-quickbooks.api.intuit.com/v3/company/42/customer/9']);
});

test('editors list customers, items, and other objects', async () => {
  const context: MethodContext = webhookContext({ http: server.http, credentials });
  const { loadOptions = {} } = quickbooks.methods ?? {};
  expect(await loadOptions['getCustomers']?.(context)).toEqual([{ name: 'Ada', value: '1' }]);
  for (const name of Object.keys(loadOptions)) expect(await loadOptions[name]?.(context)).toHaveLength(1);
});
