import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { type FakeRun, fakeContext, runForJson } from '@sluice/nodes-base/testing';
import { accessOf } from '../../shared/api-client.ts';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './shopify.example.ts';
import { shopify } from './shopify.ts';
import { shopifyServer } from './testing/shopify-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await shopifyServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { shopifyAccessTokenApi: { shopSubdomain: 'acme', accessToken: 'token1' } };
const byToken = { authentication: 'accessToken' };
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(shopify, { parameters: { ...byToken, ...parameters }, http: server.http, credentials, ...more });
const sent = () =>
  server.received.map(({ method, url, body }): JsonValue[] => [
    `${method} ${url.replace('/admin/api/2025-10', '')}`,
    body.length > 0 ? JSON.parse(body.toString()) : null,
  ]);

test('the example', async () => {
  const { additionalFields, ...parameters } = example.parameters;
  const members = { ...(additionalFields as JsonObject), images: [{ src: 'https://acme.example/mug.png' }] };
  expect(await run({ ...parameters, title: 'Mug', additionalFields: members })).toEqual(example.outputs?.[0]);
  const images = [{ src: 'https://acme.example/mug.png' }];
  expect(sent()).toEqual([['POST /products.json', { product: { title: 'Mug', vendor: 'Acme', tags: 'new, sale', images } }]]);
});

const product = { resource: 'product' };
const level = { resource: 'inventoryLevel', inventoryItemId: '8', locationId: '3' };
const place = { inventory_item_id: '8', location_id: '3' };
test.each<[JsonObject, string, JsonValue]>([
  [
    {
      operation: 'create',
      limeItemsUi: { lineItemValues: [{ productId: '5', title: 'Mug', quantity: 2, price: '9.50', grams: '' }] },
      additionalFields: {
        email: 'a@a.test',
        fulfillmentStatus: 'null',
        inventoryBehaviour: 'decrementIgnoringPolicy',
        sendReceipt: true,
        tags: ['a', 'b'],
        billingAddressUi: { billingAddressValues: { firstName: 'Ada', zip: '10115' } },
        shippingAddressUi: { shippingAddressValues: { firstName: 'Bob', company: '' } },
        discountCodesUi: { discountCodesValues: [{ code: 'X', amount: '5', type: 'fixedAmount' }] },
      },
    },
    'POST /orders.json',
    {
      order: {
        email: 'a@a.test',
        fulfillment_status: null,
        inventory_behaviour: 'decrement_ignoring_policy',
        send_receipt: true,
        tags: 'a,b',
        billing_address: { first_name: 'Ada', zip: '10115' },
        shipping_address: { first_name: 'Bob' },
        discount_codes: [{ code: 'X', amount: '5', type: 'fixed_amount' }],
        line_items: [{ product_id: '5', title: 'Mug', quantity: 2, price: '9.50' }],
      },
    },
  ],
  [{ operation: 'get', orderId: '450', options: { fields: 'id,name' } }, 'GET /orders/450.json?fields=id%2Cname', null],
  [
    { operation: 'update', orderId: 450, updateFields: { note: 'x', location_id: '3' } },
    'PUT /orders/450.json',
    { order: { note: 'x', location_id: '3' } },
  ],
  [{ operation: 'delete', orderId: '450' }, 'DELETE /orders/450.json', null],
  [
    {
      ...product,
      operation: 'update',
      productId: '7',
      updateFields: {
        title: 'Cup',
        handle: 'cup',
        productOptions: { option: [{ name: 'Size', value: 'S, M' }] },
        images: [{ id: '1', src: 'https://a.example/', position: 2, product_id: '7', created_at: 'x', variant_ids: '4,5' }],
      },
    },
    'PUT /products/7.json',
    {
      product: {
        title: 'Cup',
        handle: 'cup',
        options: [{ name: 'Size', values: ['S', 'M'] }],
        images: [{ id: '1', src: 'https://a.example/', position: 2, variant_ids: [4, 5] }],
      },
    },
  ],
  [{ ...product, operation: 'get', productId: '7' }, 'GET /products/7.json', null],
  [{ ...product, operation: 'delete', productId: '7' }, 'DELETE /products/7.json', null],
  [
    { ...level, operation: 'adjust', availableAdjustment: -2 },
    'POST /inventory_levels/adjust.json',
    { ...place, available_adjustment: -2 },
  ],
  [{ ...level, operation: 'set', available: 9 }, 'POST /inventory_levels/set.json', { ...place, available: 9 }],
  [{ ...level, operation: 'connect' }, 'POST /inventory_levels/connect.json', place],
  [{ ...level, operation: 'delete' }, 'DELETE /inventory_levels.json?inventory_item_id=8&location_id=3', null],
])('%j sends %s', async (parameters, request, body) => {
  expect(await run(parameters)).toHaveLength(1);
  expect(sent()).toEqual([[request, body]]);
});

test.each<[JsonObject, string]>([
  [
    { operation: 'getAll', options: { status: 'any', createdAtMin: '2026-01-01T00:00:00', ids: ['1', '2'] } },
    'GET /orders.json?status=any&created_at_min=2025-12-31T23%3A00%3A00.000Z&ids=1%2C2&limit=50',
  ],
  [
    { ...product, operation: 'getAll', returnAll: true, additionalFields: { vendor: 'Acme', published_status: 'any' } },
    'GET /products.json?vendor=Acme&published_status=any&limit=250',
  ],
  [
    { resource: 'inventoryLevel', limit: 5, filters: { inventoryItemIds: '8, 9' } },
    'GET /inventory_levels.json?inventory_item_ids=8%2C9&limit=5',
  ],
])('%j lists by %s', async (parameters, request) => {
  expect(await run(parameters, { timezone: 'Europe/Berlin' })).toHaveLength(2);
  expect(sent()).toEqual([[request, null]]);
});

test('a list is read to its end, or to the limit', async () => {
  const next = 'https://acme.myshopify.com/admin/api/2025-10/orders.json?limit=250&page_info=abc';
  server.on('GET /admin/api/2025-10/orders.json', ({ query }) =>
    query['page_info']
      ? { json: { orders: [{ id: 2 }] }, headers: { link: `<https://a.example/>; rel="previous"` } }
      : { json: { orders: [{ id: 1 }] }, headers: { link: `<${next}>; rel="next"` } },
  );
  expect(await run({ operation: 'getAll', returnAll: true, options: { status: 'any' } })).toEqual([{ id: 1 }, { id: 2 }]);
  expect(await run({ operation: 'getAll', limit: 1 })).toEqual([{ id: 1 }]);
});

test.each<[JsonValue, string]>([
  ['Not Found', 'Shopify: Not Found (422)'],
  [{ title: ["can't be blank"] }, "Shopify: title can't be blank (422)"],
  [{ base: ['Order is closed'] }, 'Shopify: Order is closed (422)'],
])('the errors %j include the text from Shopify', async (errors, message) => {
  server.on('GET /admin/api/2025-10/orders/:id.json', () => ({ status: 422, json: { errors } }));
  await expect(run({ operation: 'get', orderId: '1' })).rejects.toThrow(message);
});

test('only the failed item has an error if the node continues', async () => {
  server.on('GET /admin/api/2025-10/orders/:id.json', ({ count }) =>
    count === 1 ? { status: 404, json: { errors: 'Not Found' } } : { json: { order: { id: 450 } } },
  );
  const output = await run({ operation: 'get', orderId: '1' }, { json: [{}, {}], continueOnFail: true });
  expect(output).toEqual([{ error: 'Shopify: Not Found (404)' }, { id: 450 }]);
});

test('a rate-limited request is retried', async () => {
  server.on('GET /admin/api/2025-10/orders/:id.json', ({ count }) =>
    count === 1 ? { status: 429, headers: { 'retry-after': '0.0' }, json: {} } : { json: { order: { id: 450 } } },
  );
  expect(await run({ operation: 'get', orderId: '450' })).toEqual([{ id: 450 }]);
});

test.each<[JsonObject, string]>([
  [{ operation: 'create' }, 'an order needs a line item'],
  [{ operation: 'get' }, 'the parameter "orderId" is required'],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test.each<[string, JsonValue]>([
  ['getLocations', [{ name: 'Berlin', value: '3' }]],
  [
    'getProducts',
    [
      { name: 'Mug', value: '1' },
      { name: 'Cup', value: '2' },
    ],
  ],
])('%s lists choices', async (method, choices) => {
  const context = accessOf(fakeContext({ parameters: byToken, http: server.http, credentials }), 0);
  expect(await shopify.methods?.loadOptions?.[method]?.(context as never)).toEqual(choices);
});

test.each<[JsonObject, JsonObject, [string, RegExp]]>([
  [
    {},
    { shopifyApi: { shopSubdomain: 'acme', apiKey: 'k', password: 'p' } },
    ['authorization', new RegExp(`^Basic ${btoa('k:p')}$`)],
  ],
  [
    { authentication: 'oAuth2' },
    { shopifyOAuth2Api: { shopSubdomain: 'acme', oauthTokenData: { access_token: 't' } } },
    ['x-shopify-access-token', /^t$/],
  ],
])('%j uses its credential', async (parameters, credential, header) => {
  const other = await shopifyServer(header);
  const more = { parameters: { ...parameters, operation: 'get', orderId: '450' }, http: other.http };
  try {
    expect(await runForJson(shopify, { ...more, credentials: credential as Record<string, JsonObject> })).toEqual([
      { id: 450 },
    ]);
    other.verify();
  } finally {
    await other.close();
  }
});
