import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const texts = { type: 'array', minItems: 1, items: text };
const email = { type: 'string', pattern: '^[^@\\s]+@[^@\\s]+$' };
const people = { type: 'array', minItems: 1, items: fields({ 'email!': email, name: text }) };
const size = { type: 'string', pattern: '^([1-9]\\d?|100)$' };
const job = { status: 202, json: { job_id: 'j1' } };
const next = (path: string) => `https://api.sendgrid.com/v3${path}?page_size=100&page_token=p%3D2`;

/** https://www.twilio.com/docs/sendgrid/api-reference, for the key `k1`. */
export function sendGridServer(): Promise<ApiServer> {
  const lists = '/v3/marketing/lists';
  const contacts = '/v3/marketing/contacts';
  return apiServer({
    baseUrl: 'https://api.sendgrid.com',
    headers: { authorization: /^Bearer k1$/ },
    routes: {
      'POST /v3/mail/send': {
        body: {
          ...fields({
            'personalizations!': {
              type: 'array',
              minItems: 1,
              items: fields({ 'to!': people, cc: people, bcc: people, dynamic_template_data: { type: 'object' } }),
            },
            'from!': fields({ 'email!': email, name: text }),
            reply_to_list: people,
            subject: text,
            content: { type: 'array', minItems: 1, items: fields({ 'type!': text, 'value!': text }) },
            template_id: text,
            attachments: {
              type: 'array',
              items: fields({ 'content!': { type: 'string', pattern: '^[\\w+/]+=*$' }, 'filename!': text, type: text }),
            },
            headers: { type: 'object', additionalProperties: { type: 'string' } },
            categories: { ...texts, maxItems: 10 },
            ip_pool_name: text,
            send_at: { type: 'integer' },
            mail_settings: fields({ 'sandbox_mode!': fields({ 'enable!': { type: 'boolean' } }) }),
          }),
          oneOf: [{ required: ['subject', 'content'] }, { required: ['template_id'] }],
        },
        answer: () => ({ status: 202, headers: { 'x-message-id': 'm1' } }),
      },
      [`PUT ${contacts}`]: {
        body: fields({
          list_ids: texts,
          'contacts!': {
            type: 'array',
            minItems: 1,
            items: fields({
              'email!': email,
              first_name: text,
              last_name: text,
              alternate_emails: texts,
              address_line_1: text,
              address_line_2: text,
              city: text,
              country: text,
              phone_number: text,
              postal_code: text,
              state_province_region: text,
              custom_fields: { type: 'object' },
            }),
          },
        }),
        answer: () => job,
      },
      [`DELETE ${contacts}`]: {
        query: { oneOf: [fields({ 'ids!': text }), fields({ 'delete_all_contacts!': { const: 'true' } })] },
        answer: () => job,
      },
      [`GET ${contacts}`]: { answer: () => ({ json: { result: [{ id: 'c1' }, { id: 'c2' }], contact_count: 2 } }) },
      [`POST ${contacts}/search`]: {
        body: fields({ 'query!': text }),
        answer: () => ({ json: { result: [{ id: 'c2' }], contact_count: 1 } }),
      },
      [`POST ${contacts}/search/emails`]: {
        body: fields({ 'emails!': { type: 'array', items: email } }),
        answer: () => ({ json: { result: { 'ada@example.com': { contact: { id: 'c1', email: 'ada@example.com' } } } } }),
      },
      [`GET ${contacts}/:id`]: { answer: ({ params }) => ({ json: { id: params['id'] } }) },
      'GET /v3/marketing/field_definitions': {
        answer: () => ({ json: { custom_fields: [{ id: 'e1_T', name: 'Plan' }], reserved_fields: [] } }),
      },
      [`GET ${lists}`]: {
        query: fields({ 'page_size!': size, page_token: { const: 'p=2' } }),
        answer: ({ query }) => ({
          json: query['page_token']
            ? { result: [{ id: 'l2', name: 'Two' }], _metadata: {} }
            : { result: [{ id: 'l1', name: 'One' }], _metadata: { next: next('/marketing/lists') } },
        }),
      },
      [`POST ${lists}`]: {
        body: fields({ 'name!': text }),
        answer: ({ body }) => ({ status: 201, json: { id: 'l1', ...(body as object) } }),
      },
      [`GET ${lists}/:id`]: {
        query: fields({ contact_sample: { const: 'true' } }),
        answer: ({ params }) => ({ json: { id: params['id'] } }),
      },
      [`PATCH ${lists}/:id`]: {
        body: fields({ 'name!': text }),
        answer: ({ params, body }) => ({ json: { id: params['id'], ...(body as object) } }),
      },
      [`DELETE ${lists}/:id`]: {
        query: fields({ delete_contacts: { const: 'true' } }),
        answer: ({ query }) => (query['delete_contacts'] ? job : { status: 204 }),
      },
      'GET /v3/templates': {
        query: fields({ 'generations!': { const: 'dynamic' }, 'page_size!': { const: '200' }, page_token: text }),
        answer: () => ({ json: { result: [{ id: 'd-1', name: 'Welcome' }], _metadata: {} } }),
      },
    },
  });
}
