import { type ApiRoute, type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const flag = { type: 'boolean' };
const flagText = { enum: ['true', 'false'] };
const digits = { type: 'string', pattern: '^[0-9]+$' };
const integer = { type: 'integer' };
const ids = { type: 'array', items: integer };
const several = { anyOf: [text, { type: 'array', items: text }] };
const taskFields = {
  name: text,
  content: text,
  markdown_content: text,
  due_date: integer,
  due_date_time: flag,
  start_date: integer,
  start_date_time: flag,
  priority: { type: 'integer', minimum: 1, maximum: 4 },
  status: text,
  parent: text,
  notify_all: flag,
  time_estimate: integer,
};
const listFields = {
  name: text,
  content: text,
  due_date: integer,
  due_date_time: flag,
  priority: integer,
  assignee: text,
  status: text,
};
const filters = {
  page: digits,
  archived: flagText,
  include_closed: flagText,
  order_by: text,
  subtasks: flagText,
  'assignees[]': several,
  'statuses[]': several,
  'tags[]': several,
  due_date_gt: digits,
  due_date_lt: digits,
  date_created_gt: digits,
  date_created_lt: digits,
  date_updated_gt: digits,
  date_updated_lt: digits,
};

const one = (query = {}): ApiRoute => ({
  query: fields(query),
  answer: ({ params }) => ({ json: { id: params['id'] ?? '1' } }),
});
const list = (name: string, query = {}): ApiRoute => ({
  query: fields(query),
  answer: () => ({
    json: {
      [name]: [
        { id: '1', name: 'One' },
        { id: '2', name: 'Two' },
      ],
      last_page: true,
    },
  }),
});
const write = (body: Record<string, object>): ApiRoute => ({ ...one(), body: fields(body) });

/** https://developer.clickup.com/reference (version 2), for the token `pk1`. */
export function clickUpServer(): Promise<ApiServer> {
  const at = (path: string) => `/api/v2${path}`;
  return apiServer({
    baseUrl: 'https://api.clickup.com',
    headers: { authorization: /^pk1$/ },
    routes: {
      [`POST ${at('/list/:list/task')}`]: {
        body: fields({
          ...taskFields,
          'name!': text,
          assignees: ids,
          tags: { type: 'array', items: text },
          custom_fields: { type: 'array' },
        }),
        answer: ({ body }) => ({ json: { id: 't1', name: (body as { name: string }).name } }),
      },
      [`GET ${at('/list/:list/task')}`]: list('tasks', filters),
      [`GET ${at('/task/:id')}`]: one({ include_subtasks: flagText, include_markdown_description: flagText }),
      [`PUT ${at('/task/:id')}`]: write({ ...taskFields, assignees: fields({ add: ids, rem: ids }) }),
      [`DELETE ${at('/task/:id')}`]: { answer: () => ({ status: 204 }) },
      [`POST ${at('/task/:task/field/:field')}`]: write({ 'value!': {} }),
      [`POST ${at('/space/:space/list')}`]: write({ ...listFields, 'name!': text }),
      [`POST ${at('/folder/:folder/list')}`]: write({ ...listFields, 'name!': text }),
      [`GET ${at('/space/:space/list')}`]: list('lists', { archived: flagText }),
      [`GET ${at('/folder/:folder/list')}`]: list('lists', { archived: flagText }),
      [`GET ${at('/list/:id')}`]: one(),
      [`PUT ${at('/list/:id')}`]: write({ ...listFields, unset_status: flag }),
      [`POST ${at('/space/:space/folder')}`]: write({ 'name!': text }),
      [`GET ${at('/space/:space/folder')}`]: list('folders', { archived: flagText }),
      [`GET ${at('/folder/:id')}`]: one(),
      [`PUT ${at('/folder/:id')}`]: write({ name: text }),
      [`DELETE ${at('/folder/:id')}`]: { answer: () => ({ json: {} }) },
      [`GET ${at('/team')}`]: list('teams'),
      [`GET ${at('/team/:team/space')}`]: list('spaces'),
      [`GET ${at('/team/:team/webhook')}`]: { answer: () => ({ json: { webhooks: [] } }) },
      [`POST ${at('/team/:team/webhook')}`]: {
        body: fields({
          'endpoint!': text,
          'events!': { type: 'array', minItems: 1, items: text },
          space_id: text,
          folder_id: text,
          list_id: text,
          task_id: text,
        }),
        answer: () => ({ json: { id: 'wh1', webhook: { id: 'wh1', secret: 's', health: { status: 'active' } } } }),
      },
      [`DELETE ${at('/webhook/:id')}`]: { answer: () => ({ json: {} }) },
      [`GET ${at('/team/:team/time_entries')}`]: list('data'),
      [`GET ${at('/team/:team/time_entries/:id')}`]: one(),
    },
  });
}
