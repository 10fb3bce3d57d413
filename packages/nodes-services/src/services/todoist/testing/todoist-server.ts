import type { JsonObject } from '@sluice/node-sdk';
import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const texts = { type: 'array', items: text };
const size = { type: 'string', pattern: '^([1-9]\\d?|1\\d\\d|200)$' };
const page = { 'limit!': size, cursor: text };
const written = {
  content: text,
  description: text,
  due_datetime: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z$' },
  due_string: text,
  due_lang: text,
  labels: texts,
  order: { type: 'integer' },
  priority: { type: 'integer', minimum: 1, maximum: 4 },
};
const tasks = '/api/v1/tasks';
const done = { answer: () => ({ status: 204 }) };

/** https://developer.todoist.com/api/v1/, for the token `k1`. */
export function todoistServer(): Promise<ApiServer> {
  const list = (query: JsonObject) => ({
    query: fields({ ...page, ...query }),
    answer: ({ query: { cursor } }: { query: Record<string, unknown> }) => ({
      json: cursor
        ? { results: [{ id: '2', name: 'Two' }], next_cursor: null }
        : { results: [{ id: '1', name: 'One' }], next_cursor: 'c2' },
    }),
  });
  return apiServer({
    baseUrl: 'https://api.todoist.com',
    headers: { authorization: /^Bearer k1$/ },
    routes: {
      [`POST ${tasks}`]: {
        body: fields({ ...written, 'content!': text, 'project_id!': text, parent_id: text, section_id: text }),
        answer: ({ body }) => {
          const { content, project_id, priority } = body as JsonObject;
          return { json: { id: 't1', content, project_id, priority } };
        },
      },
      [`GET ${tasks}`]: list({ project_id: text, section_id: text, parent_id: text, label: text, ids: text }),
      [`GET ${tasks}/filter`]: list({ 'query!': text, lang: text }),
      [`POST ${tasks}/quick`]: {
        body: fields({ 'text!': text, note: text, reminder: text, auto_reminder: { type: 'boolean' } }),
        answer: () => ({ json: { id: 't1' } }),
      },
      [`GET ${tasks}/:id`]: { answer: ({ params }) => ({ json: { id: params['id'] } }) },
      [`POST ${tasks}/:id`]: { body: fields(written), answer: ({ params }) => ({ json: { id: params['id'] } }) },
      [`DELETE ${tasks}/:id`]: done,
      [`POST ${tasks}/:id/close`]: done,
      [`POST ${tasks}/:id/reopen`]: done,
      [`POST ${tasks}/:id/move`]: {
        body: { ...fields({ project_id: text, section_id: text, parent_id: text }), minProperties: 1, maxProperties: 1 },
        answer: ({ params }) => ({ json: { id: params['id'] } }),
      },
      'GET /api/v1/projects': list({}),
      'GET /api/v1/labels': list({}),
      'GET /api/v1/sections': list({ project_id: text }),
    },
  });
}
