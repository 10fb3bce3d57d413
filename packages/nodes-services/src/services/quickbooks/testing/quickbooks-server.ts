import { type ApiRoute, type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const amount = { type: 'number' };
const reference = fields({ 'value!': text });
const address = fields({ City: text, Line1: text, Line2: text, PostalCode: text, CountrySubDivisionCode: text, Country: text });
const email = fields({ 'Address!': text });
const day = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' };
const detail = fields({ ItemRef: reference, AccountRef: reference, TaxCodeRef: reference, Qty: amount, UnitPrice: amount });
const lines = {
  type: 'array',
  items: fields({
    'Amount!': amount,
    'DetailType!': text,
    Description: text,
    LineNum: amount,
    SalesItemLineDetail: detail,
    ItemBasedExpenseLineDetail: detail,
    AccountBasedExpenseLineDetail: detail,
  }),
};
/** Members of a change, including the version that it changes. */
const version = { Id: text, SyncToken: text, sparse: { const: true } };
const person = {
  ...version,
  Active: { type: 'boolean' },
  Balance: amount,
  BillAddr: address,
  CompanyName: text,
  DisplayName: text,
  FamilyName: text,
  GivenName: text,
  PrimaryAddr: address,
  PrimaryEmailAddr: email,
  PrimaryPhone: fields({ 'FreeFormNumber!': text }),
};
const transaction = {
  ...version,
  BillAddr: address,
  BillEmail: email,
  CustomField: { type: 'array', items: fields({ DefinitionId: text, StringValue: text, Type: text }) },
  CustomerMemo: reference,
  CustomerRef: reference,
  DueDate: day,
  Line: lines,
  TotalAmt: amount,
  TxnDate: day,
  TxnTaxDetail: fields({ TotalTax: amount }),
  VendorRef: reference,
};
const company = '/v3/company/42';
const kinds = { Bill: transaction, Customer: person, Employee: person, Estimate: transaction, Invoice: transaction };
const bodies: Record<string, Record<string, object>> = {
  ...kinds,
  Item: {},
  Payment: transaction,
  Purchase: {},
  Vendor: person,
};
const query = fields({ operation: { enum: ['delete', 'update', 'void'] }, include: { const: 'void' } });

function routesOf(name: string, members: Record<string, object>): [string, ApiRoute][] {
  const path = `${company}/${name.toLowerCase()}`;
  const json = { [name]: { Id: '9', SyncToken: '3' } };
  return [
    [`POST ${path}`, { query, body: fields(members), answer: () => ({ json: { [name]: { Id: '9', SyncToken: '0' } } }) }],
    [`GET ${path}/:id`, { answer: () => ({ json }) }],
    [`GET ${path}/:id/pdf`, { headers: { accept: /^application\/pdf$/ }, answer: () => ({ text: '%PDF' }) }],
    [
      `POST ${path}/:id/send`,
      {
        query: fields({ 'sendTo!': text }),
        headers: { 'content-type': /^application\/octet-stream$/ },
        answer: () => ({ json }),
      },
    ],
  ];
}

/**
 * https://developer.intuit.com/app/developer/qbo/docs/api/accounting/all-entities/invoice, for
 * company 42
 */
export function quickbooksServer(): Promise<ApiServer> {
  const any: ApiRoute['query'] = { type: 'object', additionalProperties: text };
  return apiServer({
    baseUrl: 'https://quickbooks.api.intuit.com',
    headers: { authorization: /^Bearer t$/, accept: /^application\/(json|pdf)$/ },
    routes: {
      ...Object.fromEntries(Object.entries(bodies).flatMap(([name, members]) => routesOf(name, members))),
      [`GET ${company}/query`]: {
        query: fields({ 'query!': { type: 'string', pattern: '^SELECT \\* FROM \\w+ .*STARTPOSITION \\d+ MAXRESULTS \\d+$' } }),
        answer: ({ query: { query: statement = '' } }) => {
          const [, name = ''] = /FROM (\w+)/.exec(String(statement)) ?? [];
          return { json: { QueryResponse: { [name]: [{ Id: '1', DisplayName: 'Ada', Name: 'Hours' }] } } };
        },
      },
      [`GET ${company}/reports/TransactionList`]: {
        query: any,
        answer: () => ({
          json: {
            Header: { ReportName: 'TransactionList' },
            Columns: { Column: [{ ColTitle: 'Date' }, { ColTitle: 'Amount' }] },
            Rows: {
              Row: [
                { ColData: [{ value: '2026-01-01' }, { value: '5.00' }], type: 'Data' },
                { Rows: { Row: [{ ColData: [{ value: '2026-01-02' }, { value: '7.00' }] }] }, type: 'Section' },
              ],
            },
          },
        }),
      },
    },
  });
}
