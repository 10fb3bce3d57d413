import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './stripe.example.ts';
import { stripe } from './stripe.ts';
import { stripeServer } from './testing/stripe-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await stripeServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { stripeApi: { secretKey: 'sk_test_1' } };
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(stripe, { parameters, http: server.http, credentials, ...more });
const sent = () =>
  server.received.map(({ method, url, body }): JsonValue[] => [
    `${method} ${url.replace('/v1', '')}`,
    body.length > 0 ? Object.fromEntries(new URLSearchParams(body.toString())) : null,
  ]);
const keys = () => server.received.map(({ headers }) => headers['idempotency-key']);

test('the example', async () => {
  const additionalFields = { ...(example.parameters['additionalFields'] as JsonObject), email: 'ada@example.com' };
  expect(await run({ ...example.parameters, name: 'Ada', additionalFields })).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual([['POST /customers', { name: 'Ada', email: 'ada@example.com', 'metadata[plan]': 'basic' }]]);
});

const charge = { resource: 'charge' };
const coupon = { resource: 'coupon' };
const customer = { resource: 'customer', customerId: 'cus_1' };
const card = { resource: 'customerCard', customerId: 'cus_1' };
const invoice = { resource: 'invoice', invoiceId: 'in_1' };
const source = { resource: 'source' };
const details = { line1: 'Street 1', city: 'Berlin', country: 'DE', postal_code: '10115' };
test.each<[JsonObject, string, JsonValue]>([
  [{}, 'GET /balance', null],
  [
    {
      ...charge,
      operation: 'create',
      customerId: 'cus_1',
      amount: 1000,
      currency: 'EUR',
      source: 'card_1',
      additionalFields: {
        receipt_email: 'a@a.test',
        metadata: { metadataProperties: [{ key: 'order', value: '7' }] },
        shipping: { shippingProperties: { name: 'Ada', address: { details: { line1: 'Street 1' } } } },
      },
    },
    'POST /charges',
    {
      customer: 'cus_1',
      amount: '1000',
      currency: 'eur',
      source: 'card_1',
      receipt_email: 'a@a.test',
      'metadata[order]': '7',
      'shipping[name]': 'Ada',
      'shipping[address][line1]': 'Street 1',
    },
  ],
  [{ ...charge, chargeId: 'ch_2' }, 'GET /charges/ch_2', null],
  [
    { ...charge, operation: 'update', chargeId: 'ch_2', updateFields: { description: 'x' } },
    'POST /charges/ch_2',
    { description: 'x' },
  ],
  [{ ...coupon, percentOff: 12.5 }, 'POST /coupons', { duration: 'forever', percent_off: '12.5' }],
  [
    { ...coupon, duration: 'once', type: 'fixedAmount', amountOff: 500, currency: 'eur' },
    'POST /coupons',
    { duration: 'once', amount_off: '500', currency: 'eur' },
  ],
  [customer, 'GET /customers/cus_1', null],
  [
    { ...customer, operation: 'update', updateFields: { name: 'Eve', address: { details } } },
    'POST /customers/cus_1',
    {
      name: 'Eve',
      'address[line1]': 'Street 1',
      'address[city]': 'Berlin',
      'address[country]': 'DE',
      'address[postal_code]': '10115',
    },
  ],
  [{ ...customer, operation: 'delete' }, 'DELETE /customers/cus_1', null],
  [{ ...card, operation: 'add', token: 'tok_1' }, 'POST /customers/cus_1/sources', { source: 'tok_1' }],
  [{ ...card, sourceId: 'card_1' }, 'GET /customers/cus_1/sources/card_1', null],
  [{ ...card, operation: 'remove', cardId: 'card_1' }, 'DELETE /customers/cus_1/sources/card_1', null],
  [
    {
      ...invoice,
      operation: 'create',
      customerId: 'cus_1',
      additionalFields: { auto_advance: true, collection_method: 'send_invoice', days_until_due: 30 },
    },
    'POST /invoices',
    { customer: 'cus_1', auto_advance: 'true', collection_method: 'send_invoice', days_until_due: '30' },
  ],
  [invoice, 'GET /invoices/in_1', null],
  [{ ...invoice, operation: 'update', updateFields: { footer: 'x' } }, 'POST /invoices/in_1', { footer: 'x' }],
  [{ ...invoice, operation: 'delete' }, 'DELETE /invoices/in_1', null],
  [{ ...invoice, operation: 'finalize' }, 'POST /invoices/in_1/finalize', null],
  [{ ...invoice, operation: 'pay' }, 'POST /invoices/in_1/pay', null],
  [{ ...invoice, operation: 'send' }, 'POST /invoices/in_1/send', null],
  [{ ...invoice, operation: 'void' }, 'POST /invoices/in_1/void', null],
  [
    { ...source, amount: 100, currency: 'usd', additionalFields: { statement_descriptor: 'Shop' } },
    'POST /sources',
    { type: 'wechat', amount: '100', currency: 'usd', statement_descriptor: 'Shop' },
  ],
  [{ ...source, operation: 'get', sourceId: 'src_1' }, 'GET /sources/src_1', null],
  [{ ...source, operation: 'delete', customerId: 'cus_1', sourceId: 'src_1' }, 'DELETE /customers/cus_1/sources/src_1', null],
  [
    { resource: 'token', number: '4242424242424242', expirationMonth: '05', expirationYear: '2030', cvc: '123' },
    'POST /tokens',
    { 'card[number]': '4242424242424242', 'card[exp_month]': '05', 'card[exp_year]': '2030', 'card[cvc]': '123' },
  ],
])('%j sends %s', async (parameters, request, body) => {
  expect(await run(parameters)).toHaveLength(1);
  expect(sent()).toEqual([[request, body]]);
});

test.each<[JsonObject, string]>([
  [{ ...charge, operation: 'getAll' }, 'GET /charges?limit=50'],
  [{ ...coupon, operation: 'getAll', limit: 5 }, 'GET /coupons?limit=5'],
  [
    { resource: 'customer', operation: 'getAll', returnAll: true, filters: { email: 'a@a.test' } },
    'GET /customers?email=a%40a.test&limit=100',
  ],
  [{ resource: 'customer', operation: 'list' }, 'GET /customers?limit=50'],
  [{ ...invoice, operation: 'getAll', filters: { status: 'open' } }, 'GET /invoices?status=open&limit=50'],
])('%j lists by %s', async (parameters, request) => {
  expect(await run(parameters)).toHaveLength(2);
  expect(sent()).toEqual([[request, null]]);
});

test('a list is read to its end, or to the limit', async () => {
  server.on('GET /v1/charges', ({ query }) => ({
    json: query['starting_after'] ? { has_more: false, data: [{ id: 'b' }] } : { has_more: true, data: [{ id: 'a' }] },
  }));
  expect(await run({ ...charge, operation: 'getAll', returnAll: true })).toEqual([{ id: 'a' }, { id: 'b' }]);
  expect(server.received.at(-1)?.url).toBe('/v1/charges?limit=100&starting_after=a');
  expect(await run({ ...charge, operation: 'getAll', limit: 1 })).toEqual([{ id: 'a' }]);
});

describe('the idempotency key', () => {
  const create = { resource: 'customer', operation: 'create', name: 'Ada' };

  test('is the same for a retry, and differs between items', async () => {
    for (let attempt = 0; attempt < 2; attempt++) await run(create, { json: [{}, {}] });
    const [first, second, ...again] = keys();
    expect(again).toEqual([first, second]);
    expect(first).not.toBe(second);
  });

  test('differs between values, and between runs of the node', async () => {
    await run(create);
    await run({ ...create, name: 'Bob' });
    await run(create, { runIndex: 1 });
    expect(new Set(keys()).size).toBe(3);
  });

  test('is kept while the node waits for a rate limit', async () => {
    server.on('POST /v1/customers', ({ count }) =>
      count === 1 ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : { json: { id: 'cus_1' } },
    );
    expect(await run(create)).toEqual([{ id: 'cus_1' }]);
    expect(new Set(keys()).size).toBe(1);
  });
});

test.each<[JsonObject, string]>([
  [{ type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds', message: 'No' }, 'insufficient_funds'],
  [{ type: 'invalid_request_error', code: 'resource_missing', message: 'No', param: 'id' }, 'resource_missing'],
  [{ type: 'invalid_request_error', message: 'No' }, 'invalid_request_error'],
])('the error %j includes the text and code from Stripe', async (error, code) => {
  server.on('GET /v1/charges/:id', () => ({ status: 402, json: { error } }));
  await expect(run({ ...charge, chargeId: 'ch_1' })).rejects.toMatchObject({
    message: `Stripe: No (${code})`,
    ...(error['param'] !== undefined && { description: 'Check the value of "id"' }),
  });
});

test('only the failed item has an error if the node continues', async () => {
  server.on('GET /v1/customers/:id', ({ count }) =>
    count === 1
      ? { status: 404, json: { error: { code: 'resource_missing', message: 'No such customer' } } }
      : { json: { id: 'cus_1' } },
  );
  const output = await run(customer, { json: [{}, {}], continueOnFail: true });
  expect(output).toEqual([{ error: 'Stripe: No such customer (resource_missing)' }, { id: 'cus_1' }]);
});

test.each<[string, JsonObject]>([
  ['the parameter "customerId" is required', { ...charge, operation: 'create', amount: 1, currency: 'eur' }],
  [
    'the field "email[a][b][c][d][e]" is too large',
    { ...customer, operation: 'update', updateFields: { email: { a: { b: { c: { d: { e: { f: 1 } } } } } } } },
  ],
  [
    'the field "email" is too large',
    { ...customer, operation: 'update', updateFields: { email: Array.from({ length: 1001 }, () => 'x') } },
  ],
])('before a request: %s', async (message, parameters) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});
