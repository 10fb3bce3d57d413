import type { JsonObject } from '@sluice/node-sdk';
import { type ApiRoute, type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const id = { type: 'integer', minimum: 1 };
const texts = { type: 'array', items: text, minItems: 1 };
const digits = { type: 'string', pattern: '^[0-9]+$' };
const time = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$' };
const oneOf = (...values: (string | number)[]) => ({ enum: values });
const page = { 'per_page!': { type: 'string', pattern: '^([1-9]\\d?|100)$' }, page: digits };

const ticket = fields({
  cc_emails: texts,
  company_id: id,
  custom_fields: { type: 'object', minProperties: 1 },
  description: text,
  due_by: time,
  email: text,
  email_config_id: id,
  facebook_id: text,
  fr_due_by: time,
  group_id: id,
  name: text,
  phone: text,
  priority: oneOf(1, 2, 3, 4),
  product_id: id,
  requester_id: id,
  responder_id: id,
  source: oneOf(1, 2, 3, 7, 9, 10),
  status: { type: 'integer', minimum: 2 },
  subject: text,
  tags: texts,
  twitter_id: text,
  type: text,
  unique_external_id: text,
});
const contact = fields({
  address: text,
  company_id: id,
  custom_fields: { type: 'object', minProperties: 1 },
  description: text,
  email: text,
  job_title: text,
  language: text,
  mobile: text,
  name: text,
  other_emails: texts,
  phone: text,
  tags: texts,
  time_zone: text,
  twitter_id: text,
  unique_external_id: text,
  view_all_tickets: { type: 'boolean' },
});

const one: ApiRoute['answer'] = ({ params }) => ({ json: { id: Number(params['id']) } });
const list: ApiRoute['answer'] = () => ({ json: [{ id: 1 }, { id: 2 }] });
const none: ApiRoute['answer'] = () => ({ status: 204 });

/** https://developers.freshdesk.com/api/, for the API key `k1` of the domain `acme`. */
export function freshdeskServer(): Promise<ApiServer> {
  const at = (path: string) => `/api/v2${path}`;
  const basic = Buffer.from('k1:X').toString('base64');
  return apiServer({
    baseUrl: 'https://acme.freshdesk.com',
    headers: { authorization: new RegExp(`^Basic ${basic}$`) },
    routes: {
      [`POST ${at('/tickets')}`]: {
        body: ticket,
        answer: ({ body }) => {
          const { subject = null, status = 2, priority = 1 } = body as JsonObject;
          return { status: 201, json: { id: 1, subject, status, priority } };
        },
      },
      [`GET ${at('/tickets')}`]: {
        query: fields({
          ...page,
          company_id: digits,
          email: text,
          filter: oneOf('new_and_my_open', 'watching', 'spam', 'deleted'),
          include: oneOf('description', 'requester', 'stats'),
          order_by: oneOf('created_at', 'due_by', 'status', 'updated_at'),
          order_type: oneOf('asc', 'desc'),
          requester_id: digits,
          updated_since: time,
        }),
        answer: list,
      },
      [`GET ${at('/tickets/:id')}`]: { answer: one },
      [`PUT ${at('/tickets/:id')}`]: { body: ticket, answer: one },
      [`DELETE ${at('/tickets/:id')}`]: { answer: none },
      [`POST ${at('/contacts')}`]: { body: contact, answer: () => ({ status: 201, json: { id: 7 } }) },
      [`GET ${at('/contacts')}`]: {
        query: fields({
          ...page,
          company_id: digits,
          email: text,
          mobile: text,
          phone: text,
          state: oneOf('blocked', 'deleted', 'unverified', 'verified'),
          updated_since: time,
        }),
        answer: list,
      },
      [`GET ${at('/contacts/:id')}`]: { answer: one },
      [`PUT ${at('/contacts/:id')}`]: { body: contact, answer: one },
      [`DELETE ${at('/contacts/:id')}`]: { answer: none },
    },
  });
}
