import { type ApiRoute, type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const digits = { type: 'string', pattern: '^[0-9]+$' };
const flag = { enum: ['true', 'false'] };
const page = { 'limit!': { type: 'string', pattern: '^([1-9]\\d?|100)$' }, starting_after: text };
const form = /^application\/x-www-form-urlencoded$/;
const key = { 'idempotency-key': /^[0-9a-f]{64}$/ };

/** Field names; nested fields are in brackets. */
const texts = (...names: string[]) => Object.fromEntries(names.map((name) => [name, text]));
const parts = ['line1', 'line2', 'city', 'state', 'country', 'postal_code'];
const shipping = texts('shipping[name]', 'shipping[phone]', ...parts.map((part) => `shipping[address][${part}]`));
const metadata = texts('metadata[plan]', 'metadata[order]');
const customer = {
  ...texts('name', 'email', 'phone', 'description', ...parts.map((part) => `address[${part}]`)),
  ...metadata,
  ...shipping,
};
const charge = { ...texts('description', 'receipt_email'), ...metadata, ...shipping };
const invoice = {
  ...texts('description', 'footer', 'collection_method'),
  auto_advance: flag,
  days_until_due: digits,
  ...metadata,
};

const one = (id: string): ApiRoute => ({ answer: ({ params }) => ({ json: { id: params['id'] ?? id } }) });
const write = (id: string, properties: Record<string, object> = {}): ApiRoute => ({
  headers: key,
  body: fields(properties),
  type: form,
  answer: ({ params, body }) => {
    const { name } = body as { name?: string };
    return { json: { id: params['id'] ?? id, ...(name !== undefined && { name }) } };
  },
});
const list = (query = {}): ApiRoute => ({
  query: fields({ ...page, ...query }),
  answer: () => ({ json: { object: 'list', has_more: false, data: [{ id: 'a' }, { id: 'b' }] } }),
});
const deleted: ApiRoute = { answer: ({ params }) => ({ json: { id: params['id'], deleted: true } }) };

/** https://docs.stripe.com/api, for the key `sk_test_1`. */
export function stripeServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://api.stripe.com',
    headers: { authorization: /^Bearer sk_test_1$/ },
    routes: {
      'GET /v1/balance': { answer: () => ({ json: { object: 'balance', available: [{ amount: 5, currency: 'eur' }] } }) },
      'POST /v1/charges': write('ch_1', {
        ...charge,
        'customer!': text,
        'amount!': digits,
        'currency!': { type: 'string', pattern: '^[a-z]{3}$' },
        source: text,
      }),
      'GET /v1/charges': list(),
      'GET /v1/charges/:id': one('ch_1'),
      'POST /v1/charges/:id': write('ch_1', charge),
      'POST /v1/coupons': write('co_1', {
        'duration!': text,
        amount_off: digits,
        currency: text,
        percent_off: { type: 'string', pattern: '^[\\d.]+$' },
      }),
      'GET /v1/coupons': list(),
      'POST /v1/customers': write('cus_1', customer),
      'GET /v1/customers': list({ email: text }),
      'GET /v1/customers/:id': one('cus_1'),
      'POST /v1/customers/:id': write('cus_1', customer),
      'DELETE /v1/customers/:id': deleted,
      'POST /v1/customers/:customer/sources': write('card_1', { 'source!': text }),
      'GET /v1/customers/:customer/sources/:id': one('card_1'),
      'DELETE /v1/customers/:customer/sources/:id': deleted,
      'POST /v1/invoices': write('in_1', { ...invoice, 'customer!': text, currency: text, subscription: text }),
      'GET /v1/invoices': list({ customer: text, status: text, subscription: text }),
      'GET /v1/invoices/:id': one('in_1'),
      'POST /v1/invoices/:id': write('in_1', invoice),
      'DELETE /v1/invoices/:id': deleted,
      'POST /v1/invoices/:id/finalize': write('in_1'),
      'POST /v1/invoices/:id/pay': write('in_1'),
      'POST /v1/invoices/:id/send': write('in_1'),
      'POST /v1/invoices/:id/void': write('in_1'),
      'POST /v1/sources': write('src_1', {
        'type!': text,
        amount: digits,
        currency: text,
        statement_descriptor: text,
        ...metadata,
      }),
      'GET /v1/sources/:id': one('src_1'),
      'POST /v1/tokens': write('tok_1', {
        'card[number]!': text,
        'card[exp_month]!': digits,
        'card[exp_year]!': digits,
        'card[cvc]!': digits,
      }),
      'GET /v1/webhook_endpoints': { ...list(), answer: () => ({ json: { has_more: false, data: [] } }) },
      'POST /v1/webhook_endpoints': {
        body: fields({
          'url!': text,
          'enabled_events[0]!': text,
          'enabled_events[1]': text,
          description: text,
          api_version: text,
        }),
        type: form,
        answer: () => ({ json: { id: 'we_1', secret: 'whsec_1' } }),
      },
      'DELETE /v1/webhook_endpoints/:id': deleted,
    },
  });
}
