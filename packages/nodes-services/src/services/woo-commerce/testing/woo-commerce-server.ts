import { type ApiRoute, type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const flag = { type: 'boolean' };
const integer = { type: 'integer' };
const texts = (...names: string[]) => Object.fromEntries(names.map((name) => [name, text]));
const listOf = (items: object) => ({ type: 'array', items, minItems: 1 });
/** UTC without an offset. */
const time = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d$' };
const page = { 'per_page!': { type: 'string', pattern: '^([1-9]\\d?|100)$' }, page: { type: 'string', pattern: '^\\d+$' } };

const meta_data = listOf(fields({ 'key!': text, 'value!': {} }));
const addressNames = ['first_name', 'last_name', 'company', 'address_1', 'address_2', 'city', 'state', 'postcode', 'country'];
const address = fields(texts(...addressNames, 'phone', 'email'));
const references = listOf(fields({ 'id!': integer }));
const product = {
  ...texts('name', 'slug', 'type', 'status', 'catalog_visibility', 'description', 'short_description', 'sku'),
  ...texts('regular_price', 'sale_price', 'external_url', 'button_text', 'tax_status', 'tax_class', 'stock_status'),
  ...texts('backorders', 'weight', 'shipping_class', 'purchase_note', 'parent_id'),
  date_on_sale_from_gmt: time,
  date_on_sale_to_gmt: time,
  featured: flag,
  virtual: flag,
  downloadable: flag,
  manage_stock: flag,
  sold_individually: flag,
  reviews_allowed: flag,
  stock_quantity: { type: 'number' },
  menu_order: integer,
  parent_id: integer,
  upsell_ids: listOf(integer),
  cross_sell_ids: listOf(integer),
  categories: references,
  tags: references,
  images: listOf(fields(texts('src', 'name', 'alt'))),
  dimensions: fields(texts('length', 'width', 'height')),
  meta_data,
};
const order = {
  ...texts('currency', 'customer_note', 'payment_method', 'payment_method_title', 'status', 'transaction_id'),
  parent_id: integer,
  customer_id: integer,
  set_paid: flag,
  billing: address,
  shipping: address,
  line_items: listOf(
    fields({
      ...texts('name', 'tax_class', 'subtotal', 'total'),
      product_id: integer,
      variation_id: integer,
      quantity: integer,
      meta_data,
    }),
  ),
  shipping_lines: listOf(fields({ ...texts('method_title', 'method_id', 'total'), meta_data })),
  fee_lines: listOf(fields({ ...texts('name', 'tax_class', 'tax_status', 'total'), meta_data })),
  coupon_lines: listOf(fields({ 'code!': text, meta_data })),
  meta_data,
};
const customer = {
  ...texts('email', 'first_name', 'last_name', 'username', 'password'),
  billing: address,
  shipping: address,
  meta_data,
};

const root = '/wp-json/wc/v3';
const one: ApiRoute = { answer: ({ params }) => ({ json: { id: Number(params['id'] ?? 7) } }) };
const write = (body: object): ApiRoute => ({
  body,
  answer: ({ params, body: sent }) => {
    const { name } = sent as { name?: string };
    return { status: 201, json: { id: Number(params['id'] ?? 7), ...(name !== undefined && { name }) } };
  },
});
const list = (query: Record<string, object> = {}): ApiRoute => ({
  query: fields({ ...page, ...query }),
  answer: ({ query: { page: number = '1' } }) => ({
    headers: { 'x-wp-totalpages': '2' },
    json: [{ id: Number(number), name: `Element ${number}` }],
  }),
});

/**
 * https://woocommerce.github.io/woocommerce-rest-api-docs/, for the shop at
 * `https://shop.example/store` and the key `ck1`.
 */
export function wooCommerceServer(): Promise<ApiServer> {
  const at = (path: string) => `/store${root}${path}`;
  return apiServer({
    baseUrl: 'https://shop.example',
    headers: { authorization: new RegExp(`^Basic ${Buffer.from('ck1:cs1').toString('base64')}$`) },
    routes: {
      [`POST ${at('/products')}`]: write(fields({ ...product, 'name!': text })),
      [`GET ${at('/products')}`]: list({
        ...texts('category', 'featured', 'max_price', 'min_price', 'on_sale', 'order', 'orderby', 'search', 'shipping_class'),
        ...texts('sku', 'slug', 'status', 'stock_status', 'tag', 'tax_class', 'type'),
        after: time,
        before: time,
        dates_are_gmt: { const: 'true' },
      }),
      [`GET ${at('/products/categories')}`]: list(),
      [`GET ${at('/products/tags')}`]: list(),
      [`GET ${at('/products/:id')}`]: one,
      [`PUT ${at('/products/:id')}`]: write(fields(product)),
      [`DELETE ${at('/products/:id')}`]: one,
      [`POST ${at('/orders')}`]: write(fields(order)),
      [`GET ${at('/orders')}`]: list({
        ...texts('customer', 'dp', 'order', 'orderby', 'product', 'search', 'status'),
        after: time,
        before: time,
        dates_are_gmt: { const: 'true' },
      }),
      [`GET ${at('/orders/:id')}`]: one,
      [`PUT ${at('/orders/:id')}`]: write(fields(order)),
      [`DELETE ${at('/orders/:id')}`]: one,
      [`POST ${at('/customers')}`]: write(fields({ ...customer, 'email!': text })),
      [`GET ${at('/customers')}`]: list(texts('email', 'order', 'orderby', 'role', 'search')),
      [`GET ${at('/customers/:id')}`]: one,
      [`PUT ${at('/customers/:id')}`]: write(fields(customer)),
      [`DELETE ${at('/customers/:id')}`]: { ...one, query: fields({ 'force!': { const: 'true' } }) },
      [`GET ${at('/webhooks')}`]: { ...list(), answer: () => ({ headers: { 'x-wp-totalpages': '1' }, json: [] }) },
      [`POST ${at('/webhooks')}`]: {
        body: fields({ 'delivery_url!': text, 'name!': text, 'secret!': text, 'topic!': text }),
        answer: () => ({ status: 201, json: { id: 11 } }),
      },
      [`DELETE ${at('/webhooks/:id')}`]: { ...one, query: fields({ 'force!': { const: 'true' } }) },
    },
  });
}
