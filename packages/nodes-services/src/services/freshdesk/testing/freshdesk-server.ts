import { type ApiRoute, type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const texts = { type: 'array', items: text, minItems: 1 };
const digits = { type: 'string', pattern: '^\\d+$' };
const id = { type: 'integer', minimum: 1 };
const time = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' };
const ticket = {
  ...{ requester_id: id, email: text, phone: text, facebook_id: text, twitter_id: text, unique_external_id: text, name: text },
  ...{ subject: text, description: text, type: text, responder_id: id, company_id: id, group_id: id, product_id: id },
  ...{ email_config_id: id, cc_emails: texts, tags: texts, due_by: time, fr_due_by: time, custom_fields: { type: 'object' } },
};
const choices = { status: id, priority: id, source: id };
const contact = {
  ...{ email: text, phone: text, mobile: text, address: text, description: text, job_title: text, language: text },
  ...{ time_zone: text, twitter_id: text, unique_external_id: text, company_id: id, other_emails: texts, tags: texts },
  ...{ view_all_tickets: { type: 'boolean' }, custom_fields: { type: 'object' } },
};
const at = (path: string) => `/api/v2${path}`;

/** Two pages of one element each. The link has no filters, so the next request must repeat them. */
const list = (path: string, query: Record<string, object>): ApiRoute => ({
  query: fields({ 'per_page!': { type: 'string', pattern: '^([1-9]\\d?|100)$' }, page: digits, ...query }),
  answer: ({ query: { page = '1' } }) => ({
    headers: page === '1' ? { link: `<https://acme.freshdesk.com${at(path)}?page=2>; rel="next"` } : {},
    json: [{ id: Number(page) }],
  }),
});
const one: ApiRoute = { answer: ({ params }) => ({ json: { id: Number(params['id'] ?? 7) } }) };

/** https://developers.freshdesk.com/api/, for the domain `acme` and the key `k1`. */
export function freshdeskServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://acme.freshdesk.com',
    headers: { authorization: new RegExp(`^Basic ${Buffer.from('k1:X').toString('base64')}$`) },
    routes: {
      [`GET ${at('/tickets')}`]: list('/tickets', {
        company_id: digits,
        filter: { enum: ['new_and_my_open', 'watching', 'spam', 'deleted'] },
        include: text,
        order_by: { enum: ['created_at', 'due_by', 'updated_at', 'status'] },
        order_type: { enum: ['asc', 'desc'] },
        email: text,
        requester_id: digits,
        updated_since: time,
      }),
      [`POST ${at('/tickets')}`]: {
        body: fields({ ...ticket, 'status!': id, 'priority!': id, 'source!': id }),
        answer: () => ({ status: 201, json: { id: 7, subject: 'Broken' } }),
      },
      [`GET ${at('/tickets/:id')}`]: one,
      [`PUT ${at('/tickets/:id')}`]: { ...one, body: fields({ ...ticket, ...choices }) },
      [`DELETE ${at('/tickets/:id')}`]: { answer: () => ({ status: 204 }) },
      [`GET ${at('/contacts')}`]: list('/contacts', {
        company_id: digits,
        email: text,
        mobile: text,
        phone: text,
        state: { enum: ['verified', 'unverified', 'blocked', 'deleted'] },
        updated_since: time,
      }),
      [`POST ${at('/contacts')}`]: {
        body: fields({ ...contact, 'name!': text }),
        answer: () => ({ status: 201, json: { id: 7 } }),
      },
      [`GET ${at('/contacts/:id')}`]: one,
      [`PUT ${at('/contacts/:id')}`]: { ...one, body: fields({ ...contact, name: text }) },
      [`DELETE ${at('/contacts/:id')}`]: { answer: () => ({ status: 204 }) },
    },
  });
}
