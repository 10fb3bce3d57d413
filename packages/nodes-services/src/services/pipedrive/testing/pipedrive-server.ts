import { type ApiRoute, type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const digits = { type: 'string', pattern: '^[0-9]+$' };
const integer = { type: 'integer' };
const flag = { type: 'boolean' };
const page = { 'limit!': { type: 'string', pattern: '^([1-9]\\d?|[1-4]\\d\\d|500)$' } };
const cursor = { ...page, cursor: text };
const texts = (...names: string[]) => Object.fromEntries(names.map((name) => [name, text]));
const ids = (...names: string[]) => Object.fromEntries(names.map((name) => [name, integer]));
const allDigits = (...names: string[]) => Object.fromEntries(names.map((name) => [name, digits]));

export const hash = 'd4de1c1518b4531717c676029a45911c340390a6';

const custom = { custom_fields: fields({ [hash]: {} }) };
const contacts = { type: 'array', items: fields({ 'value!': text, 'primary!': flag, label: text }) };
const labels = { label_ids: { type: 'array', items: integer } };
const person = {
  ...texts('name', 'marketing_status', 'job_title'),
  ...ids('owner_id', 'org_id', 'visible_to'),
  emails: contacts,
  phones: contacts,
  ...labels,
  ...custom,
};
const organization = { name: text, ...ids('owner_id', 'visible_to'), ...labels, ...custom };
const deal = {
  ...texts('title', 'currency', 'expected_close_date', 'lost_reason', 'status'),
  ...ids('owner_id', 'person_id', 'org_id', 'pipeline_id', 'stage_id', 'visible_to', 'probability'),
  value: { type: 'number' },
  ...labels,
  ...custom,
};
const activity = {
  ...texts('subject', 'type', 'lead_id', 'due_date', 'due_time', 'duration', 'note'),
  ...ids('owner_id', 'deal_id', 'person_id', 'org_id'),
  done: flag,
};
const product = {
  ...ids('product_id', 'product_variation_id', 'quantity'),
  ...texts('comments', 'discount_type'),
  item_price: { type: 'number' },
  discount: { type: 'number' },
};
const soldProduct = {
  ...texts('name', 'code', 'description', 'unit'),
  ...ids('owner_id', 'visible_to'),
  tax: { type: 'number' },
  is_linkable: flag,
  prices: { type: 'array', items: fields({ 'price!': { type: 'number' }, 'currency!': text, cost: { type: 'number' } }) },
  ...custom,
};
const lead = {
  ...texts('title', 'expected_close_date'),
  ...ids('person_id', 'organization_id', 'owner_id'),
  label_ids: { type: 'array', items: text },
  value: fields({ 'amount!': { type: 'number' }, 'currency!': text }),
  [hash]: {},
};
const note = { content: text, lead_id: text, ...ids('deal_id', 'person_id', 'org_id') };

const one: ApiRoute = { answer: ({ params }) => ({ json: { success: true, data: { id: Number(params['id'] ?? 7) } } }) };
const write = (body: Record<string, object>): ApiRoute => ({
  body: fields(body),
  answer: ({ params, body: requestBody }) => {
    const { name } = requestBody as { name?: string };
    return { json: { success: true, data: { id: Number(params['id'] ?? 7), ...(name !== undefined && { name }) } } };
  },
});
const list = (query: Record<string, object> = {}): ApiRoute => ({
  query: fields({ ...cursor, ...query }),
  answer: () => ({
    json: {
      success: true,
      data: [
        { id: 1, name: 'Ada' },
        { id: 2, name: 'Bob' },
      ],
      additional_data: { next_cursor: null },
    },
  }),
});
const older = (query: Record<string, object> = {}): ApiRoute => ({
  query: fields({ ...page, start: digits, ...query }),
  answer: () => ({
    json: {
      success: true,
      data: [{ id: 1 }, { id: 2 }],
      additional_data: { pagination: { start: 0, limit: 100, more_items_in_collection: false } },
    },
  }),
});
const search = (query: Record<string, object> = {}): ApiRoute => ({
  query: fields({ ...cursor, 'term!': text, fields: text, exact_match: { const: 'true' }, ...query }),
  answer: () => ({
    json: {
      success: true,
      data: {
        items: [
          { result_score: 0.9, item: { id: 1 } },
          { result_score: 0.5, item: { id: 2 } },
        ],
      },
      additional_data: { next_cursor: null },
    },
  }),
});
const customFields: ApiRoute = {
  query: fields(cursor),
  answer: () => ({
    json: {
      data: [
        { field_name: 'Name', field_code: 'name', field_type: 'varchar' },
        { field_name: 'Tier', field_code: hash, field_type: 'enum', options: [{ id: 31, label: 'Gold' }] },
      ],
      additional_data: { next_cursor: null },
    },
  }),
};

/** A kind with the usual operations. */
function records(plural: string, required: readonly string[], body: Record<string, object>, query: Record<string, object>) {
  const at = `/api/v2/${plural}`;
  const created = Object.entries(body).map(([name, schema]) => [required.includes(name) ? `${name}!` : name, schema]);
  return {
    [`GET ${at}`]: list(query),
    [`POST ${at}`]: write(Object.fromEntries(created)),
    [`GET ${at}/:id`]: one,
    [`PATCH ${at}/:id`]: write(body),
    [`DELETE ${at}/:id`]: one,
  };
}

/** https://developers.pipedrive.com/docs/api/v1, for the token `token1`. */
export function pipedriveServer(): Promise<ApiServer> {
  const products = '/api/v2/deals/:deal/products';
  return apiServer({
    baseUrl: 'https://api.pipedrive.com',
    headers: { 'x-api-token': /^token1$/ },
    routes: {
      'GET /api/v1/webhooks': { answer: () => ({ json: { success: true, data: [] } }) },
      'POST /api/v1/webhooks': {
        body: fields({
          'subscription_url!': text,
          'event_action!': { enum: ['create', 'change', 'delete', '*'] },
          'event_object!': text,
          'http_auth_user!': text,
          'http_auth_password!': text,
          'name!': text,
          'version!': { const: '2.0' },
        }),
        answer: () => ({ status: 201, json: { success: true, data: { id: 7 } } }),
      },
      'DELETE /api/v1/webhooks/:id': { answer: () => ({ json: { success: true } }) },
      'GET /api/v2/persons/search': search({ include_fields: text, organization_id: digits }),
      'GET /api/v2/organizations/search': search(),
      'GET /api/v2/deals/search': search({ include_fields: text, organization_id: digits, person_id: digits, status: text }),
      'GET /api/v2/products/search': search(),
      'GET /api/v2/personFields': customFields,
      'GET /api/v2/dealFields': customFields,
      [`GET ${products}`]: list(),
      [`POST ${products}`]: write({
        ...product,
        'product_id!': integer,
        'item_price!': { type: 'number' },
        'quantity!': integer,
      }),
      [`PATCH ${products}/:id`]: write(product),
      [`DELETE ${products}/:id`]: one,
      ...records('persons', ['name'], person, {
        ...allDigits('filter_id', 'owner_id', 'org_id'),
        sort_by: { enum: ['id', 'add_time', 'update_time'] },
        sort_direction: { enum: ['asc', 'desc'] },
      }),
      ...records('organizations', ['name'], organization, allDigits('filter_id', 'owner_id')),
      ...records('deals', ['title'], deal, {
        ...allDigits('filter_id', 'owner_id', 'person_id', 'org_id', 'pipeline_id', 'stage_id'),
        status: { enum: ['open', 'won', 'lost', 'deleted'] },
      }),
      ...records('activities', ['subject', 'type'], activity, {
        ...allDigits('filter_id', 'owner_id', 'deal_id'),
        done: { enum: ['true', 'false'] },
      }),
      ...records('products', ['name'], soldProduct, {}),
      'GET /api/v2/pipelines': list(),
      'GET /api/v2/stages': list(),
      'GET /api/v1/filters': { answer: () => ({ json: { success: true, data: [{ id: 1, name: 'Ada' }] } }) },
      'GET /api/v1/users': { answer: () => ({ json: { success: true, data: [{ id: 1, name: 'Ada' }] } }) },
      'GET /api/v1/activityTypes': {
        answer: () => ({ json: { success: true, data: [{ id: 1, name: 'Ada', key_string: 'call' }] } }),
      },
      'POST /api/v1/deals/:id/duplicate': { answer: () => ({ json: { success: true, data: { id: 8 } } }) },
      'GET /api/v1/leads': older(allDigits('organization_id', 'person_id')),
      'GET /api/v1/leads/archived': older(allDigits('organization_id', 'person_id')),
      'POST /api/v1/leads': write({ ...lead, 'title!': text }),
      'GET /api/v1/leads/:id': one,
      'PATCH /api/v1/leads/:id': write(lead),
      'DELETE /api/v1/leads/:id': one,
      'GET /api/v1/notes': older({ lead_id: text, ...allDigits('deal_id', 'person_id', 'org_id') }),
      'POST /api/v1/notes': write({ ...note, 'content!': text }),
      'GET /api/v1/notes/:id': one,
      'PUT /api/v1/notes/:id': write(note),
      'DELETE /api/v1/notes/:id': one,
      'GET /api/v1/files': older(),
      'POST /api/v1/files': {
        body: fields({
          'file!': fields({ 'name!': text, 'type!': text, 'text!': text }),
          ...texts('activity_id', 'deal_id', 'lead_id', 'org_id', 'person_id', 'product_id'),
        }),
        type: /^multipart\/form-data/,
        answer: () => ({ json: { success: true, data: { id: 7 } } }),
      },
      'GET /api/v1/files/:id': { answer: () => ({ json: { success: true, data: { id: 7, name: 'a.txt' } } }) },
      'GET /api/v1/files/:id/download': { answer: () => ({ text: 'Hello' }) },
      'PUT /api/v1/files/:id': {
        body: fields(texts('name', 'description')),
        type: /^application\/x-www-form-urlencoded/,
        answer: () => ({ json: { success: true, data: { id: 7 } } }),
      },
      'DELETE /api/v1/files/:id': one,
    },
  });
}
