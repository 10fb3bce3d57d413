import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const record = { type: 'object', patternProperties: { '^[a-z_]+$': {} }, additionalProperties: false };
const displayQuery = {
  sysparm_display_value: { enum: ['false', 'true', 'all'] },
  sysparm_exclude_reference_link: text,
  sysparm_fields: text,
};
const page = {
  'sysparm_limit!': { pattern: '^([1-9]\\d{0,2}|1000)$' },
  sysparm_offset: { pattern: '^\\d+$' },
  sysparm_query: text,
};
const root = '/api/now';
/** Records of each table. */
const total = 1_002;

/**
 * https://www.servicenow.com/docs/bundle/zurich-api-reference/page/integrate/inbound-rest/concept/c_TableAPI.html,
 * for the instance `acme`.
 */
export function serviceNowServer(
  authorization = new RegExp(`^Basic ${Buffer.from('ann:p1').toString('base64')}$`),
): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://acme.service-now.com',
    headers: { authorization, accept: /json|\*/ },
    routes: {
      [`GET ${root}/table/:table`]: {
        query: fields({ ...page, ...displayQuery, user_name: text }),
        answer: ({ params, query }) => {
          if (query['user_name'] === 'missing') return { headers: { 'x-total-count': '0' }, json: { result: [] } };
          const offset = Number(query['sysparm_offset'] ?? 0);
          const length = Math.max(0, Math.min(Number(query['sysparm_limit']), total - offset));
          // The user may not see the first record.
          const visible = Array.from({ length }, (_, index) => ({ sys_id: String(offset + index + 1), name: params['table'] }));
          const result = query['sysparm_limit'] === '1' ? visible : visible.filter(({ sys_id: id }) => id !== '1');
          return { headers: { 'x-total-count': String(total) }, json: { result } };
        },
      },
      [`POST ${root}/table/:table`]: {
        body: record,
        answer: () => ({ status: 201, json: { result: { sys_id: 's1', number: 'INC0010001' } } }),
      },
      [`GET ${root}/table/:table/:id`]: {
        query: fields(displayQuery),
        answer: ({ params }) => ({ json: { result: { sys_id: params['id'] } } }),
      },
      [`PATCH ${root}/table/:table/:id`]: {
        body: record,
        answer: ({ params }) => ({ json: { result: { sys_id: params['id'] } } }),
      },
      [`DELETE ${root}/table/:table/:id`]: { answer: () => ({ status: 204 }) },
      [`GET ${root}/attachment`]: {
        query: fields(page),
        answer: () => ({
          headers: { 'x-total-count': '1' },
          json: { result: [{ sys_id: 'a1', file_name: 'a.txt', content_type: 'text/plain' }] },
        }),
      },
      [`GET ${root}/attachment/:id`]: {
        answer: ({ params }) => ({
          json: { result: { sys_id: params['id'], file_name: 'a.txt', content_type: 'text/plain' } },
        }),
      },
      [`GET ${root}/attachment/:id/file`]: { answer: () => ({ text: 'Hello' }) },
      [`DELETE ${root}/attachment/:id`]: { answer: () => ({ status: 204 }) },
      [`POST ${root}/attachment/file`]: {
        type: /^text\/plain/,
        query: fields({ 'table_name!': text, 'table_sys_id!': text, 'file_name!': text }),
        body: { type: 'string' },
        answer: ({ query }) => ({ status: 201, json: { result: { sys_id: 'a2', file_name: query['file_name'] } } }),
      },
    },
  });
}
