import { type ApiRoute, type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const digits = { type: 'string', pattern: '^[0-9]+$' };
const flag = { type: 'boolean' };
const time = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d' };
const page = { 'limit!': { type: 'string', pattern: '^([1-9]\\d?|1\\d\\d|2[0-4]\\d|250)$' }, page_info: text };
const texts = (...names: string[]) => Object.fromEntries(names.map((name) => [name, text]));
const listOf = (items: object) => ({ type: 'array', items, minItems: 1 });

const address = fields(
  texts('first_name', 'last_name', 'company', 'address1', 'address2', 'city', 'province', 'country', 'zip', 'phone'),
);
const updatedOrder = { ...texts('email', 'note', 'source_name', 'tags', 'location_id'), shipping_address: address };
const createdOrder = {
  ...updatedOrder,
  billing_address: address,
  discount_codes: listOf(fields({ 'code!': text, amount: text, type: { enum: ['fixed_amount', 'percentage', 'shipping'] } })),
  fulfillment_status: { enum: ['fulfilled', null, 'partial', 'restocked'] },
  inventory_behaviour: { enum: ['bypass', 'decrement_ignoring_policy', 'decrement_obeying_policy'] },
  send_receipt: flag,
  send_fulfillment_receipt: flag,
  test: flag,
  'line_items!': listOf(
    fields({ ...texts('product_id', 'variant_id', 'title', 'grams', 'price'), quantity: { type: 'integer', minimum: 1 } }),
  ),
};
const product = {
  ...texts('title', 'body_html', 'handle', 'product_type', 'published_at', 'published_scope', 'status', 'tags'),
  ...texts('template_suffix', 'vendor'),
  images: listOf(
    fields({ ...texts('src', 'alt', 'id'), position: { type: 'integer' }, variant_ids: listOf({ type: 'integer' }) }),
  ),
  options: listOf(fields({ 'name!': text, 'values!': listOf(text) })),
};
const times = (...names: string[]) =>
  Object.fromEntries(names.flatMap((name) => [`${name}_min`, `${name}_max`]).map((name) => [name, time]));
const place = { 'inventory_item_id!': digits, 'location_id!': digits };
const pieces = { type: 'integer' };

const at = (path: string) => `/admin/api/2025-10${path}.json`;
const one = (member: string): ApiRoute => ({
  query: fields({ fields: text }),
  answer: ({ params }) => ({ json: { [member]: { id: Number(params['id'] ?? 7) } } }),
});
const write = (member: string, body: Record<string, object>): ApiRoute => ({
  body: fields({ [`${member}!`]: fields(body) }),
  answer: ({ params, body: requestBody }) => {
    const { title } = (requestBody as Record<string, { title?: string }>)[member] ?? {};
    return { json: { [member]: { id: Number(params['id'] ?? 7), ...(title !== undefined && { title }) } } };
  },
});
const list = (name: string, query = {}): ApiRoute => ({
  query: fields({ ...page, ...query }),
  answer: () => ({
    json: {
      [name]: [
        { id: 1, title: 'Mug' },
        { id: 2, title: 'Cup' },
      ],
    },
  }),
});
const level = (path: string, more = {}): Record<string, ApiRoute> => ({
  [`POST ${at(`/inventory_levels/${path}`)}`]: {
    body: fields({ ...place, ...more }),
    answer: () => ({ json: { inventory_level: { available: 5 } } }),
  },
});
const deleted: ApiRoute = { answer: () => ({ json: {} }) };

/** https://shopify.dev/docs/api/admin-rest, for the shop `acme`. */
export function shopifyServer(
  header: [name: string, value: RegExp] = ['x-shopify-access-token', /^token1$/],
): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://acme.myshopify.com',
    headers: Object.fromEntries([header]),
    routes: {
      [`POST ${at('/orders')}`]: write('order', createdOrder),
      [`GET ${at('/orders')}`]: list('orders', {
        ...texts('attribution_app_id', 'financial_status', 'fulfillment_status', 'fields', 'ids', 'since_id', 'status'),
        ...times('created_at', 'processed_at', 'updated_at'),
      }),
      [`GET ${at('/orders/:id')}`]: one('order'),
      [`PUT ${at('/orders/:id')}`]: write('order', updatedOrder),
      [`DELETE ${at('/orders/:id')}`]: deleted,
      [`POST ${at('/products')}`]: write('product', { ...product, 'title!': text }),
      [`GET ${at('/products')}`]: list('products', {
        ...texts('collection_id', 'fields', 'handle', 'ids', 'presentment_currencies', 'product_type', 'published_status'),
        ...texts('since_id', 'status', 'title', 'vendor'),
        ...times('created_at', 'published_at', 'updated_at'),
      }),
      [`GET ${at('/products/:id')}`]: one('product'),
      [`PUT ${at('/products/:id')}`]: write('product', product),
      [`DELETE ${at('/products/:id')}`]: deleted,
      [`GET ${at('/locations')}`]: { answer: () => ({ json: { locations: [{ id: 3, name: 'Berlin' }] } }) },
      [`GET ${at('/inventory_levels')}`]: list('inventory_levels', texts('inventory_item_ids', 'location_ids')),
      [`DELETE ${at('/inventory_levels')}`]: { query: fields(place), answer: () => ({ status: 204 }) },
      ...level('adjust', { 'available_adjustment!': pieces }),
      ...level('connect'),
      ...level('set', { 'available!': pieces }),
      [`GET ${at('/webhooks')}`]: { ...list('webhooks', { 'address!': text }), answer: () => ({ json: { webhooks: [] } }) },
      [`POST ${at('/webhooks')}`]: {
        body: fields({ 'webhook!': fields({ 'topic!': text, 'address!': text, 'format!': { const: 'json' } }) }),
        answer: () => ({ status: 201, json: { webhook: { id: 11 } } }),
      },
      [`DELETE ${at('/webhooks/:id')}`]: deleted,
    },
  });
}
