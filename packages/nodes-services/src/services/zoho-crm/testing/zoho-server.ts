import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const root = '/crm/v8';
/** API names start with a capital. */
const record = { type: 'object', minProperties: 1, patternProperties: { '^[A-Z]\\w*$': {} }, additionalProperties: false };
const body = fields({ 'data!': { type: 'array', items: record, minItems: 1, maxItems: 1 } });
const saved = (id: string) => ({
  json: {
    data: [
      {
        code: 'SUCCESS',
        status: 'success',
        message: 'record added',
        details: { id, Created_Time: '2026-01-31T12:00:00+01:00' },
      },
    ],
  },
});

/**
 * https://www.zoho.com/crm/developer/docs/api/v8/, for the token `t1` in the data center of Europe.
 */
export function zohoServer(): Promise<ApiServer> {
  const described = Array.from({ length: 60 }, (_, index) => ({
    api_name: `Field_${index + 1}`,
    field_label: `Field ${index + 1}`,
  }));
  return apiServer({
    baseUrl: 'https://www.zohoapis.eu',
    headers: { authorization: /^Zoho-oauthtoken t1$/ },
    routes: {
      [`GET ${root}/settings/fields`]: {
        query: fields({ 'module!': { pattern: '^[A-Z]' } }),
        answer: () => ({ json: { fields: described } }),
      },
      [`POST ${root}/:module`]: { body, answer: () => ({ status: 201, ...saved('5001') }) },
      [`POST ${root}/:module/upsert`]: { body, answer: () => saved('5001') },
      [`GET ${root}/:module`]: {
        query: fields({
          ...{ 'fields!': text, 'per_page!': { pattern: '^([1-9]\\d?|1\\d\\d|200)$' }, page_token: text, converted: text },
          ...{ include_child: text, sort_by: text, sort_order: { enum: ['asc', 'desc'] }, territory_id: text },
        }),
        answer: ({ params, query: { page_token: token } }) => {
          if (params['module'] === 'Vendors') return { status: 204 };
          const info =
            token === undefined
              ? { more_records: true, next_page_token: 'p2' }
              : { more_records: false, next_page_token: null };
          return { json: { data: [{ id: token === undefined ? '1' : '2' }], info } };
        },
      },
      [`GET ${root}/:module/:id`]: { answer: ({ params }) => ({ json: { data: [{ id: params['id'] }] } }) },
      [`PUT ${root}/:module/:id`]: { body, answer: ({ params }) => saved(params['id'] ?? '') },
      [`DELETE ${root}/:module/:id`]: {
        answer: ({ params }) => ({ json: { data: [{ code: 'SUCCESS', status: 'success', details: { id: params['id'] } }] } }),
      },
    },
  });
}
