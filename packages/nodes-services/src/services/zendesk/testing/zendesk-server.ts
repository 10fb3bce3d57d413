import { type ApiRoute, type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

export const site = { subdomain: 'acme', email: 'ann@acme.test', apiToken: 'token1' };

const text = { type: 'string', minLength: 1 };
const flag = { type: 'boolean' };
const texts = { type: 'array', items: text };
const digits = { type: 'string', pattern: '^[0-9]+$' };
const paged = { 'per_page!': { type: 'string', pattern: '^([1-9]\\d?|100)$' }, page: digits };
const comment = fields({ body: text, html_body: text, public: flag });
const ticket = {
  subject: text,
  external_id: text,
  recipient: text,
  group_id: text,
  status: text,
  tags: texts,
  type: text,
  assignee_email: text,
  custom_fields: { type: 'array', items: fields({ 'id!': { type: 'integer' }, 'value!': {} }) },
};
const user = {
  name: text,
  email: text,
  phone: text,
  role: text,
  tags: texts,
  notes: text,
  verified: flag,
  user_fields: { type: 'object' },
};
const organization = { name: text, details: text, domain_names: texts, tags: texts, organization_fields: { type: 'object' } };

const one = (member: string): ApiRoute => ({
  answer: ({ params }) => ({ json: { [member]: { id: Number(params['id'] ?? 1) } } }),
});
const write = (member: string, body: Record<string, object>): ApiRoute => ({
  ...one(member),
  body: fields({ [`${member}!`]: fields(body) }),
});
/**
 * Offset pagination ends after 10,000 elements, so lists that support cursors accept only cursors.
 */
const list = (name: string, query = {}): ApiRoute => ({
  query: fields({ 'page[size]!': { type: 'string', pattern: '^([1-9]\\d?|100)$' }, 'page[after]': text, ...query }),
  answer: () => ({ json: { [name]: [{ id: 1 }, { id: 2 }], meta: { has_more: false }, links: { next: null } } }),
});
/** An export has its type as a parameter, and rejects another type in the query. */
const exported = { type: 'string', minLength: 1, not: { pattern: '(^|\\s)type:' } };
const search = (name: string, query = {}): ApiRoute => ({
  query: fields({ ...paged, ...query }),
  answer: () => ({ json: { [name]: [{ id: 1 }, { id: 2 }], next_page: null } }),
});

/** https://developer.zendesk.com/api-reference/ticketing/introduction/, for the agent `ann`. */
export function zendeskServer(): Promise<ApiServer> {
  const at = (path: string) => `/api/v2${path}`;
  const basic = Buffer.from('ann@acme.test/token:token1').toString('base64');
  return apiServer({
    baseUrl: 'https://acme.zendesk.com',
    headers: { authorization: new RegExp(`^Basic ${basic}$`) },
    routes: {
      [`POST ${at('/tickets')}`]: {
        body: fields({ 'ticket!': fields({ ...ticket, 'comment!': comment }) }),
        answer: ({ body }) => ({
          status: 201,
          json: { ticket: { id: 35, subject: (body as { ticket: { subject?: string } }).ticket.subject ?? null } },
        }),
      },
      [`GET ${at('/tickets/:id')}`]: one('ticket'),
      [`PUT ${at('/tickets/:id')}`]: write('ticket', { ...ticket, comment }),
      [`DELETE ${at('/tickets/:id')}`]: { answer: () => ({ status: 204 }) },
      [`GET ${at('/search/export')}`]: list('results', { 'query!': exported, 'filter[type]!': { const: 'ticket' } }),
      [`GET ${at('/search')}`]: search('results', { 'query!': text, sort_by: text, sort_order: text }),
      [`POST ${at('/users')}`]: write('user', user),
      [`GET ${at('/users')}`]: list('users', { role: text }),
      [`GET ${at('/users/search')}`]: search('users', { query: text, external_id: text }),
      [`GET ${at('/users/:id')}`]: one('user'),
      [`PUT ${at('/users/:id')}`]: write('user', user),
      [`DELETE ${at('/users/:id')}`]: { answer: () => ({ json: { user: { id: 1 } } }) },
      [`GET ${at('/users/:id/organizations')}`]: list('organizations'),
      [`GET ${at('/users/:id/related')}`]: { answer: () => ({ json: { user_related: { assigned_tickets: 5 } } }) },
      [`POST ${at('/organizations')}`]: write('organization', organization),
      [`GET ${at('/organizations')}`]: list('organizations'),
      [`GET ${at('/organizations/count')}`]: { answer: () => ({ json: { count: { value: 5 } } }) },
      [`GET ${at('/organizations/:id')}`]: one('organization'),
      [`PUT ${at('/organizations/:id')}`]: write('organization', organization),
      [`DELETE ${at('/organizations/:id')}`]: { answer: () => ({ status: 204 }) },
      [`GET ${at('/organizations/:id/related')}`]: { answer: () => ({ json: { organization_related: { tickets_count: 5 } } }) },
    },
  });
}
