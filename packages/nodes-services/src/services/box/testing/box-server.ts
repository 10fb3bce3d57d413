import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const parent = fields({ 'id!': { type: 'string', pattern: '^\\d+$' } });
const entry = (type: string, id: unknown) => ({ type, id, name: `${type} ${id}` });
const json = (value: object, status = 200) => ({ status, json: value });
const chosen = fields({ fields: text });

/** https://developer.box.com/reference, for the token `t`; a search finds 101 entries. */
export function boxServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://api.box.com',
    headers: { authorization: /^Bearer t$/ },
    routes: {
      'GET /2.0/search': {
        query: fields({
          'query!': text,
          'type!': { enum: ['file', 'folder'] },
          'limit!': { const: '100' },
          offset: { const: '100' },
          content_types: { enum: ['name', 'description', 'file_content', 'tag'] },
          ancestor_folder_ids: text,
          file_extensions: text,
          fields: text,
        }),
        answer: ({ query }) => {
          const entries = Array.from({ length: query['offset'] ? 1 : 100 }, (_, id) => entry(String(query['type']), `${id}`));
          return json({ total_count: 101, entries });
        },
      },
      'POST /2.0/files/:id/copy': {
        query: chosen,
        body: fields({ 'parent!': parent, name: text, version: text }),
        answer: () => json(entry('file', '8'), 201),
      },
      'GET /2.0/files/:id': { query: chosen, answer: ({ params }) => json({ ...entry('file', params['id']), name: 'a.pdf' }) },
      'DELETE /2.0/files/:id': { answer: () => ({ status: 204 }) },
      'GET /2.0/files/:id/content': {
        answer: () => ({ text: 'pdf', headers: { 'content-type': 'application/octet-stream' } }),
      },
      'POST /2.0/folders': {
        body: fields({ 'name!': text, 'parent!': parent }),
        answer: () => json(entry('folder', '9'), 201),
      },
      'GET /2.0/folders/:id': { answer: ({ params }) => json(entry('folder', params['id'])) },
      'PUT /2.0/folders/:id': {
        body: fields({ name: text, description: text, parent }),
        answer: ({ params }) => json(entry('folder', params['id'])),
      },
      'DELETE /2.0/folders/:id': {
        query: fields({ 'recursive!': { enum: ['true', 'false'] } }),
        answer: () => ({ status: 204 }),
      },
    },
  });
}

/** Uploads have their own host. */
export function boxUploadServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://upload.box.com',
    headers: { authorization: /^Bearer t$/ },
    routes: {
      'POST /api/2.0/files/content': {
        body: fields({ 'attributes!': text, 'file!': { type: 'object' } }),
        answer({ body }) {
          const { name } = JSON.parse((body as { attributes: string }).attributes);
          return json({ total_count: 1, entries: [{ type: 'file', id: '7', name }] }, 201);
        },
      },
    },
  });
}
