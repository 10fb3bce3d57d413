import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { wooCommerceServer } from './testing/woo-commerce-server.ts';
import { example } from './woo-commerce.example.ts';
import { wooCommerce } from './woo-commerce.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await wooCommerceServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const account = { url: 'https://shop.example/store/', consumerKey: 'ck1', consumerSecret: 'cs1' };
const credentials = { wooCommerceApi: account };
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(wooCommerce, { parameters, http: server.http, credentials, ...more });
const sent = () =>
  server.received.map(({ method, url, body }): JsonValue[] => [
    `${method} ${url.replace('/store/wp-json/wc/v3', '')}`,
    body.length > 0 ? JSON.parse(body.toString()) : null,
  ]);
const order = { resource: 'order' };
const customer = { resource: 'customer' };
const meta = (...metadataValues: JsonObject[]) => ({ metadataUi: { metadataValues } });

test('the example', async () => {
  const parameters = {
    ...example.parameters,
    name: 'Mug',
    additionalFields: { regularPrice: 9.5, sku: 'M-1', status: 'draft' },
    imagesUi: { imagesValues: [{ src: 'https://example.com/mug.png', alt: 'Mug' }] },
  };
  expect(await run(parameters)).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual([
    [
      'POST /products',
      {
        name: 'Mug',
        regular_price: '9.5',
        sku: 'M-1',
        status: 'draft',
        images: [{ src: 'https://example.com/mug.png', alt: 'Mug' }],
      },
    ],
  ]);
});

test.each<[JsonObject, string, JsonValue]>([
  [
    {
      operation: 'create',
      name: 'A',
      additionalFields: {
        buttonText: 'Buy',
        categories: ['9', 12],
        crossSellIds: '3, 4',
        dateOnSaleFrom: '2026-01-31T12:00:00',
        dateOnSaleTo: '2026-02-28T12:00:00+01:00',
        manageStock: true,
        menuOrder: 2,
        parentId: '5',
        salePrice: '',
        stockQuantity: '2.5',
        tags: '8',
        upsellIds: [6],
        virtual: false,
      },
      dimensionsUi: { dimensionsValues: { height: 2, length: '', width: '3' } },
      imagesUi: {},
      ...meta({ key: 'a', value: ['b'] }, { key: '', value: 'c' }),
    },
    'POST /products',
    {
      name: 'A',
      button_text: 'Buy',
      categories: [{ id: 9 }, { id: 12 }],
      cross_sell_ids: [3, 4],
      date_on_sale_from_gmt: '2026-01-31T11:00:00',
      date_on_sale_to_gmt: '2026-02-28T11:00:00',
      manage_stock: true,
      menu_order: 2,
      parent_id: 5,
      stock_quantity: 2.5,
      tags: [{ id: 8 }],
      upsell_ids: [6],
      virtual: false,
      dimensions: { height: '2', width: '3' },
      meta_data: [{ key: 'a', value: ['b'] }],
    },
  ],
  [
    { operation: 'update', productId: 7, updateFields: { name: 'B', stockStatus: 'outofstock' } },
    'PUT /products/7',
    { name: 'B', stock_status: 'outofstock' },
  ],
  [{ operation: 'get', productId: '../orders/1?x' }, 'GET /products/..%2Forders%2F1%3Fx', null],
  [{ operation: 'delete', productId: '7' }, 'DELETE /products/7', null],
  [
    {
      ...order,
      operation: 'create',
      additionalFields: { customerId: '4', paymentMethodId: 'bacs', setPaid: true, status: 'packed', transactionID: 't1' },
      billingUi: {
        billingValues: { firstName: 'Ada', postalCode: 10115, address_1: 'Main Street 1', email: 'ada@example.com' },
      },
      shippingUi: { shippingValues: { lastName: 'L', city: '' } },
      couponLinesUi: { couponLinesValues: [{ code: 'SALE', ...meta({ key: 'k', value: 'v' }) }] },
      feeLinesUi: { feeLinesValues: [{ name: 'Gift', taxClass: 'reduced', taxStatus: 'none', total: 2 }] },
      lineItemsUi: { lineItemsValues: [{ productId: 7, variationId: '', quantity: 2, subtotal: '20', metadataUi: {} }] },
      shippingLinesUi: { shippingLinesValues: [{ methodTitle: 'Flat', 'method ID': 'flat_rate', total: '5' }] },
      ...meta({ key: 'a', value: 'b' }),
    },
    'POST /orders',
    {
      customer_id: 4,
      payment_method: 'bacs',
      set_paid: true,
      status: 'packed',
      transaction_id: 't1',
      billing: { first_name: 'Ada', postcode: '10115', address_1: 'Main Street 1', email: 'ada@example.com' },
      shipping: { last_name: 'L' },
      coupon_lines: [{ code: 'SALE', meta_data: [{ key: 'k', value: 'v' }] }],
      fee_lines: [{ name: 'Gift', tax_class: 'reduced', tax_status: 'none', total: '2' }],
      line_items: [{ product_id: 7, quantity: 2, subtotal: '20' }],
      shipping_lines: [{ method_title: 'Flat', method_id: 'flat_rate', total: '5' }],
      meta_data: [{ key: 'a', value: 'b' }],
    },
  ],
  [
    { ...order, operation: 'update', orderId: '450', updateFields: { status: 'completed' }, lineItemsUi: {} },
    'PUT /orders/450',
    { status: 'completed' },
  ],
  [{ ...order, operation: 'get', orderId: '450' }, 'GET /orders/450', null],
  [{ ...order, operation: 'delete', orderId: '450' }, 'DELETE /orders/450', null],
  [
    {
      ...customer,
      email: 'ada@example.com',
      additionalFields: {
        first_name: 'Ada',
        billing: { city: 'Rome', company: '' },
        meta_data: { meta_data_fields: [{ key: 'a', value: 'b' }] },
      },
    },
    'POST /customers',
    { email: 'ada@example.com', first_name: 'Ada', billing: { city: 'Rome' }, meta_data: [{ key: 'a', value: 'b' }] },
  ],
  [
    { ...customer, operation: 'update', customerId: '5', updateFields: { shipping: { country: 'DE' } } },
    'PUT /customers/5',
    { shipping: { country: 'DE' } },
  ],
  [
    {
      ...customer,
      operation: 'update',
      customerId: '5',
      updateFields: { password: 12345678, billing: { postcode: 10115, phone: 49151, city: '' } },
    },
    'PUT /customers/5',
    { password: '12345678', billing: { postcode: '10115', phone: '49151' } },
  ],
  [{ ...customer, operation: 'get', customerId: '5' }, 'GET /customers/5', null],
  [{ ...customer, operation: 'delete', customerId: '5' }, 'DELETE /customers/5?force=true', null],
])('%j is one request', async (parameters, request, body) => {
  expect(await run(parameters, { timezone: 'Europe/Berlin' })).toHaveLength(1);
  expect(sent()).toEqual([[request, body]]);
});

test('lists are read to their end, or to the limit', async () => {
  const elements = [
    { id: 1, name: 'Element 1' },
    { id: 2, name: 'Element 2' },
  ];
  expect(await run({ operation: 'getAll', returnAll: true, options: { minPrice: 5, orderBy: 'price', onSale: true } })).toEqual(
    elements,
  );
  const options = { after: '2026-01-31T12:00:00', status: 'completed', decimalPoints: 0 };
  expect(await run({ ...order, operation: 'getAll', limit: 1, options }, { timezone: 'Europe/Berlin' })).toEqual([elements[0]]);
  expect(await run({ ...customer, operation: 'getAll', limit: 150, filters: { email: 'a&b@c.test' } })).toEqual(elements);
  expect(sent().map(([request]) => request)).toEqual([
    'GET /products?orderby=price&min_price=5&on_sale=true&per_page=100',
    'GET /products?orderby=price&min_price=5&on_sale=true&per_page=100&page=2',
    'GET /orders?after=2026-01-31T11%3A00%3A00&status=completed&dp=0&dates_are_gmt=true&per_page=1',
    'GET /customers?orderby=id&email=a%26b%40c.test&per_page=100',
    'GET /customers?orderby=id&email=a%26b%40c.test&per_page=100&page=2',
  ]);
});

test.each<[JsonObject, string]>([
  [{ operation: 'create', name: ' ' }, 'the parameter "name" is required'],
  [{ operation: 'create', name: 'A', additionalFields: { categories: 'Mugs' } }, 'the value of "categories" is not a number'],
  [{ operation: 'create', name: 'A', additionalFields: { upsellIds: '1,' } }, 'the value of "upsellIds" is not a number'],
  [
    { operation: 'create', name: 'A', additionalFields: { upsellIds: { toString: 1 } } },
    'the value of "upsellIds" is not a number',
  ],
  [{ operation: 'getAll', options: { after: 1e300 } }, 'the value of "after" is not a date'],
  [{ operation: 'create', name: 'A', additionalFields: { dateOnSaleTo: 'soon' } }, 'the value of "dateOnSaleTo" is not a date'],
  [
    { ...order, operation: 'create', lineItemsUi: { lineItemsValues: [{ productId: 'Mug' }] } },
    'the value of "productId" is not a number',
  ],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('an error includes code and text, and does not affect other items', async () => {
  server.on('GET /store/wp-json/wc/v3/products/:id', ({ count }) =>
    count === 1
      ? { status: 404, json: { code: 'woocommerce_rest_product_invalid_id', message: 'Invalid ID.', data: { status: 404 } } }
      : { json: { id: 7 } },
  );
  expect(await run({ operation: 'get', productId: '7' }, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'WooCommerce: Invalid ID. (woocommerce_rest_product_invalid_id)' },
    { id: 7 },
  ]);
});

test.each(['getCategories', 'getTags'])('editors choose by name: %s', async (method) => {
  const context = webhookContext({ http: server.http, credentials });
  expect(await wooCommerce.methods?.loadOptions?.[method]?.(context)).toEqual([
    { name: 'Element 1', value: '1' },
    { name: 'Element 2', value: '2' },
  ]);
});
