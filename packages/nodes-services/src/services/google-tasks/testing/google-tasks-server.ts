import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const time = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T[\\d:.]+Z$' };
const flag = { enum: ['true', 'false'] };
const size = { type: 'string', pattern: '^([1-9]\\d?|100)$' };
const written = fields({
  title: text,
  notes: text,
  due: time,
  completed: time,
  deleted: { type: 'boolean' },
  status: { enum: ['needsAction', 'completed'] },
});

/** https://developers.google.com/workspace/tasks/reference/rest, for the token `ya29`. */
export function googleTasksServer(): Promise<ApiServer> {
  const tasks = '/tasks/v1/lists/:list/tasks';
  return apiServer({
    baseUrl: 'https://tasks.googleapis.com',
    headers: { authorization: /^Bearer ya29$/ },
    routes: {
      [`GET ${tasks}`]: {
        query: fields({
          'maxResults!': size,
          pageToken: text,
          completedMax: time,
          completedMin: time,
          dueMax: time,
          dueMin: time,
          updatedMin: time,
          showCompleted: flag,
          showDeleted: flag,
          showHidden: flag,
        }),
        answer: ({ query }) => ({
          json: query['pageToken'] === 'p2' ? { items: [{ id: 't2' }] } : { items: [{ id: 't1' }], nextPageToken: 'p2' },
        }),
      },
      [`POST ${tasks}`]: {
        query: fields({ parent: text, previous: text }),
        body: written,
        answer: ({ body }) => ({ json: { id: 't1', ...(body as object) } }),
      },
      [`GET ${tasks}/:id`]: { answer: ({ params }) => ({ json: { id: params['id'] } }) },
      [`PATCH ${tasks}/:id`]: {
        body: written,
        answer: ({ params, body }) => ({ json: { id: params['id'], ...(body as object) } }),
      },
      [`DELETE ${tasks}/:id`]: { answer: () => ({ status: 204 }) },
      'GET /tasks/v1/users/@me/lists': {
        query: fields({ 'maxResults!': { const: '100' }, pageToken: text }),
        answer: () => ({ json: { items: [{ id: 'l1', title: 'My Tasks' }] } }),
      },
    },
  });
}
