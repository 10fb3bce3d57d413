import { type ApiServer, apiServer } from '../../../testing/api-server.ts';

export const project = { host: 'https://acme.supabase.co', serviceRole: 'role1' };

const rows = [
  { id: 1, name: 'Ada' },
  { id: 2, name: 'Bob' },
];
const openQuery = {
  type: 'object',
  additionalProperties: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
};
const row = { type: 'object' };
const written = { prefer: /^return=representation$/ };

/**
 * https://docs.postgrest.org/en/v12/references/api.html, for a Supabase project with the table
 * `tasks`.
 */
export function supabaseServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://acme.supabase.co',
    headers: { apikey: /^role1$/, authorization: /^Bearer role1$/ },
    routes: {
      'GET /rest/v1/': { answer: () => ({ json: { definitions: { tasks: { properties: { id: {}, name: {} } } } } }) },
      'GET /rest/v1/:table': { query: openQuery, answer: ({ query }) => ({ json: query['offset'] ? [] : rows }) },
      'POST /rest/v1/:table': { body: row, headers: written, answer: ({ body }) => ({ status: 201, json: [body] }) },
      'PATCH /rest/v1/:table': {
        query: { ...openQuery, minProperties: 1 },
        body: row,
        headers: written,
        answer: ({ body }) => ({ json: [{ id: 1, ...(body as object) }] }),
      },
      'DELETE /rest/v1/:table': {
        query: { ...openQuery, minProperties: 1 },
        headers: written,
        answer: () => ({ json: rows.slice(0, 1) }),
      },
    },
  });
}
