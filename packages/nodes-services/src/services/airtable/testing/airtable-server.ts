import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const flag = { type: 'boolean' };
const recordId = { type: 'string', pattern: '^rec' };
const values = { type: 'object', maxProperties: 200 };
const listQuery = {
  type: 'object',
  properties: {
    pageSize: { type: 'string', pattern: '^([1-9]\\d?|100)$' },
    offset: text,
    filterByFormula: text,
    view: text,
    'fields[]': {},
  },
  patternProperties: { '^sort\\[\\d+\\]\\[field\\]$': text, '^sort\\[\\d+\\]\\[direction\\]$': { enum: ['asc', 'desc'] } },
  additionalProperties: false,
};
const createdTime = '2026-01-01T00:00:00.000Z';
export const ada = { id: 'rec1', createdTime, fields: { Name: 'Ada', Age: 36 } };
export const bob = { id: 'rec2', createdTime: '2026-01-02T00:00:00.000Z', fields: { Name: 'Bob' } };

/** The table in base `app1`; any name or ID selects this table. */
export const schema = {
  id: 'tbl1',
  name: 'People',
  fields: [
    { id: 'fld1', name: 'Name', type: 'singleLineText' },
    { id: 'fld2', name: 'Age', type: 'number' },
    { id: 'fld3', name: 'Created', type: 'createdTime' },
  ],
};

/** https://airtable.com/developers/web/api, for the token `pat1`. */
export function airtableServer(): Promise<ApiServer> {
  const written = ({ body }: { body: unknown }) => ({ json: { ...ada, fields: (body as { fields: object }).fields } });
  return apiServer({
    baseUrl: 'https://api.airtable.com',
    headers: { authorization: /^Bearer pat1$/ },
    routes: {
      'GET /v0/meta/bases': {
        query: fields({ offset: text }),
        answer: ({ query }) =>
          query['offset'] === 'next'
            ? { json: { bases: [{ id: 'app2', name: 'Stock', permissionLevel: 'read' }] } }
            : { json: { bases: [{ id: 'app1', name: 'Office', permissionLevel: 'create' }], offset: 'next' } },
      },
      'GET /v0/meta/bases/:base/tables': { answer: () => ({ json: { tables: [schema] } }) },
      'GET /v0/:base/:table': { query: listQuery, answer: () => ({ json: { records: [ada, bob] } }) },
      'GET /v0/:base/:table/:record': { answer: () => ({ json: ada }) },
      'POST /v0/:base/:table': { body: fields({ 'fields!': values, typecast: flag }), answer: written },
      'PATCH /v0/:base/:table/:record': { body: fields({ 'fields!': values, typecast: flag }), answer: written },
      'PATCH /v0/:base/:table': {
        body: fields({
          'records!': { type: 'array', minItems: 1, maxItems: 10, items: fields({ id: recordId, 'fields!': values }) },
          performUpsert: fields({ 'fieldsToMergeOn!': { type: 'array', minItems: 1, maxItems: 3 } }),
          typecast: flag,
        }),
        answer: ({ body }) => ({
          json: { records: (body as { records: object[] }).records.map((record) => ({ ...ada, ...record })) },
        }),
      },
      'DELETE /v0/:base/:table/:record': { answer: ({ params }) => ({ json: { id: params['record'], deleted: true } }) },
    },
  });
}
