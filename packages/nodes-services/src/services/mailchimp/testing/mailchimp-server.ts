import { type ApiRoute, type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const digits = { type: 'string', pattern: '^[0-9]+$' };
const any = { type: 'object' };
const member = {
  email_address: text,
  email_type: { enum: ['html', 'text'] },
  interests: { type: 'object', additionalProperties: { type: 'boolean' } },
  ip_opt: text,
  ip_signup: text,
  language: text,
  location: fields({ 'latitude!': { type: 'number' }, 'longitude!': { type: 'number' } }),
  merge_fields: any,
  status: { enum: ['cleaned', 'pending', 'subscribed', 'transactional', 'unsubscribed'] },
  tags: { type: 'array', items: text },
  timestamp_opt: text,
  timestamp_signup: text,
  vip: { type: 'boolean' },
};
const page = { 'count!': digits, offset: digits, fields: text, exclude_fields: text };
const answer = (json: unknown): Pick<ApiRoute, 'answer'> => ({ answer: () => ({ json }) });
const listOf = (name: string, element: object) => answer({ [name]: [element], total_items: 1 });
const done: ApiRoute = { answer: () => ({ status: 204 }) };

/** https://mailchimp.com/developer/marketing/api/, in the data center us6. */
export function mailchimpServer(): Promise<ApiServer> {
  const basic = `Basic ${Buffer.from('key:key1-us6').toString('base64')}`;
  const api: Record<string, ApiRoute> = {
    'GET /lists': { query: fields(page), ...listOf('lists', { id: 'l1', name: 'News' }) },
    'POST /lists/:list/members': {
      body: fields({ ...member, 'email_address!': text, 'status!': member.status }),
      answer: ({ body }) => {
        const { email_address, status } = body as Record<string, string>;
        return { json: { id: 'm1', email_address, status } };
      },
    },
    'GET /lists/:list/members': {
      query: fields({ ...page, status: text, since_last_changed: text }),
      ...listOf('members', { id: 'm1' }),
    },
    'GET /lists/:list/members/:hash': { query: fields({ fields: text, exclude_fields: text }), ...answer({ id: 'm1' }) },
    'PATCH /lists/:list/members/:hash': {
      query: fields({ skip_merge_validation: { const: 'true' } }),
      body: fields(member),
      ...answer({ id: 'm1', vip: true }),
    },
    'POST /lists/:list/members/:hash/actions/delete-permanent': done,
    'POST /lists/:list/members/:hash/tags': {
      body: fields({
        'tags!': { type: 'array', minItems: 1, items: fields({ 'name!': text, 'status!': { enum: ['active', 'inactive'] } }) },
        is_syncing: { type: 'boolean' },
      }),
      ...done,
    },
    'GET /lists/:list/interest-categories': { query: fields(page), ...listOf('categories', { id: 'k1', title: 'Topics' }) },
    'GET /lists/:list/interest-categories/:category/interests': { query: fields(page), ...listOf('interests', { id: 'i1' }) },
    'GET /lists/:list/merge-fields': { query: fields(page), ...listOf('merge_fields', { tag: 'FNAME', name: 'First Name' }) },
    'GET /campaigns': {
      query: fields({ ...page, list_id: text, status: text, sort_field: text, sort_dir: text, since_send_time: text }),
      ...listOf('campaigns', { id: 'c1' }),
    },
    'GET /campaigns/:id': answer({ id: 'c1' }),
    'DELETE /campaigns/:id': done,
    'POST /campaigns/:id/actions/replicate': answer({ id: 'c2' }),
    'POST /campaigns/:id/actions/create-resend': answer({ id: 'c3' }),
    'POST /campaigns/:id/actions/send': done,
  };
  return apiServer({
    baseUrl: 'https://us6.api.mailchimp.com',
    headers: { authorization: new RegExp(`^(${basic}|Bearer t)$`) },
    routes: Object.fromEntries(Object.entries(api).map(([name, route]) => [name.replace(' ', ' /3.0'), route])),
  });
}
