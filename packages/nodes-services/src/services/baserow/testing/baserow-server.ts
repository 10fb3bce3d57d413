import { type ApiRoute, type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const integer = { type: 'integer' };
const digits = { type: 'string', pattern: '^[0-9]+$' };
const values = { field_12: { type: ['string', 'null'] }, field_13: { type: 'boolean' } };
const row = (id: number, more: object = {}) => ({ id, order: `${id}.00`, field_12: 'Ada', field_13: false, ...more });
const batchOf = (item: object) => fields({ 'items!': { type: 'array', items: item, minItems: 1, maxItems: 200 } });

const at = '/api/database/rows/table/:table/';
const written: ApiRoute = {
  body: fields(values),
  answer: ({ params, body }) => ({ json: row(Number(params['row'] ?? 1), body as object) }),
};
const batch = (item: object): ApiRoute => ({
  body: batchOf(item),
  answer: ({ body }) => ({ json: { items: (body as { items: object[] }).items.map((one, index) => row(index + 1, one)) } }),
});

/**
 * https://api.baserow.io/api/redoc/; table 9 in database 5 has the fields Name, Done, and Changed.
 */
export function baserowServer(authorization = /^JWT jwt1$/): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://api.baserow.io',
    headers: { authorization },
    routes: {
      'POST /api/user/token-auth/': {
        headers: { authorization: /^$/ },
        body: fields({ 'email!': text, 'password!': text }),
        answer: () => ({ json: { access_token: 'jwt1' } }),
      },
      'GET /api/applications/': {
        answer: () => ({
          json: [
            { id: 5, name: 'Sales', type: 'database' },
            { id: 6, name: 'Site', type: 'builder' },
          ],
        }),
      },
      'GET /api/database/tables/all-tables/': {
        answer: () => ({
          json: [
            { id: 9, name: 'People', database_id: 5 },
            { id: 8, name: 'Sites', database_id: 7 },
          ],
        }),
      },
      'GET /api/database/tables/database/:database/': { answer: () => ({ json: [{ id: 9, name: 'People' }] }) },
      'GET /api/database/fields/table/:table/': {
        answer: () => ({
          json: [
            { id: 12, name: 'Name', type: 'text', read_only: false },
            { id: 13, name: 'Done', type: 'boolean', read_only: false },
            { id: 14, name: 'Changed', type: 'last_modified', read_only: true },
          ],
        }),
      },
      [`GET ${at}`]: {
        query: {
          type: 'object',
          properties: {
            size: { type: 'string', pattern: '^([1-9]\\d?|1\\d\\d|200)$' },
            page: digits,
            search: text,
            filter_type: { enum: ['AND', 'OR'] },
            order_by: { type: 'string', pattern: '^-?field_\\d+(,-?field_\\d+)*$' },
          },
          patternProperties: { '^filter__field_\\d+__[a-z_]+$': { type: 'string' } },
          required: ['size'],
          additionalProperties: false,
        },
        answer: () => ({ json: { count: 2, next: null, results: [row(1), row(2)] } }),
      },
      [`POST ${at}`]: written,
      [`POST ${at}batch/`]: batch(fields(values)),
      [`PATCH ${at}batch/`]: batch(fields({ ...values, 'id!': integer })),
      [`POST ${at}batch-delete/`]: { body: batchOf(integer), answer: () => ({ status: 204 }) },
      [`GET ${at}:row/`]: { answer: ({ params }) => ({ json: row(Number(params['row'])) }) },
      [`PATCH ${at}:row/`]: written,
      [`DELETE ${at}:row/`]: { answer: () => ({ status: 204 }) },
    },
  });
}
