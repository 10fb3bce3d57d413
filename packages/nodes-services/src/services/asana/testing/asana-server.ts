import { type ApiRoute, type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const flag = { type: 'boolean' };
const day = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' };
const size = { type: 'string', pattern: '^([1-9]\\d?|100)$' };
const page = { 'limit!': size, offset: text };
const taskFields = {
  assignee: text,
  assignee_status: text,
  completed: flag,
  due_on: day,
  liked: flag,
  notes: text,
  workspace: text,
};
const projectFields = { color: text, due_on: day, notes: text, owner: text, team: text };

const list = (query: Parameters<typeof fields>[0] = {}): ApiRoute => ({
  query: fields({ ...page, ...query }),
  answer: ({ query: sentQuery }) =>
    sentQuery['offset'] === 'p2'
      ? { json: { data: [{ gid: '2', name: 'B' }], next_page: null } }
      : { json: { data: [{ gid: '1', name: 'A' }], next_page: { offset: 'p2' } } },
});
const get: ApiRoute = { answer: ({ params }) => ({ json: { data: { gid: params['id'] } } }) };
const remove: ApiRoute = { answer: () => ({ json: { data: {} } }) };
const write = (data: Parameters<typeof fields>[0], gid = '33'): ApiRoute => ({
  body: fields({ 'data!': fields(data) }),
  answer: ({ body }) => ({ json: { data: { gid, ...(body as { data: object }).data } } }),
});

/** https://developers.asana.com/reference/rest-api-reference, for the token `t1`. */
export function asanaServer(): Promise<ApiServer> {
  const api = '/api/1.0';
  return apiServer({
    baseUrl: 'https://app.asana.com',
    headers: { authorization: /^Bearer t1$/ },
    routes: {
      [`GET ${api}/tasks`]: list({
        assignee: text,
        project: text,
        section: text,
        workspace: text,
        completed_since: text,
        modified_since: text,
        opt_fields: text,
      }),
      [`POST ${api}/tasks`]: write({
        'name!': text,
        ...taskFields,
        'workspace!': text,
        projects: { type: 'array', minItems: 1, items: text },
      }),
      [`GET ${api}/tasks/:id`]: get,
      [`PUT ${api}/tasks/:id`]: write({ name: text, ...taskFields }),
      [`DELETE ${api}/tasks/:id`]: remove,
      [`GET ${api}/workspaces/:id/tasks/search`]: {
        query: fields({ 'limit!': size, text, completed: { enum: ['true', 'false'] } }),
        answer: () => ({ json: { data: [{ gid: '1' }] } }),
      },
      [`POST ${api}/tasks/:id/subtasks`]: write({ 'name!': text, ...taskFields }),
      [`GET ${api}/tasks/:id/subtasks`]: list({ opt_fields: text }),
      [`POST ${api}/tasks/:id/stories`]: write({ text, html_text: text, is_pinned: flag }),
      [`DELETE ${api}/stories/:id`]: remove,
      [`POST ${api}/sections/:id/addTask`]: write({ 'task!': text }),
      [`POST ${api}/tasks/:id/addTag`]: write({ 'tag!': text }),
      [`POST ${api}/tasks/:id/removeTag`]: write({ 'tag!': text }),
      [`POST ${api}/tasks/:id/addProject`]: write({
        'project!': text,
        insert_after: text,
        insert_before: text,
        section: text,
      }),
      [`POST ${api}/tasks/:id/removeProject`]: write({ 'project!': text }),
      [`GET ${api}/projects`]: list({ workspace: text, team: text, archived: { enum: ['true', 'false'] } }),
      [`POST ${api}/projects`]: write({ 'name!': text, 'workspace!': text, ...projectFields }),
      [`GET ${api}/projects/:id`]: get,
      [`PUT ${api}/projects/:id`]: write({ name: text, ...projectFields }),
      [`DELETE ${api}/projects/:id`]: remove,
      [`GET ${api}/projects/:id/sections`]: list(),
      [`GET ${api}/users`]: list({ workspace: text }),
      [`GET ${api}/users/:id`]: get,
      [`GET ${api}/workspaces`]: list(),
      [`GET ${api}/workspaces/:id/users`]: { answer: () => ({ json: { data: [{ gid: '7' }] } }) },
      [`GET ${api}/workspaces/:id/teams`]: list(),
      [`GET ${api}/tags`]: list({ workspace: text }),
    },
  });
}
