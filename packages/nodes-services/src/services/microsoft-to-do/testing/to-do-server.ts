import { type ApiRoute, type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const time = fields({
  'dateTime!': { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T[\\d:.]+$' },
  'timeZone!': text,
});
const task = {
  title: text,
  body: fields({ 'contentType!': { const: 'html' }, 'content!': { type: 'string' } }),
  dueDateTime: time,
  importance: { enum: ['low', 'normal', 'high'] },
  isReminderOn: { const: true },
  reminderDateTime: time,
  status: { enum: ['notStarted', 'inProgress', 'completed', 'waitingOnOthers', 'deferred'] },
};
const link = { applicationName: text, displayName: text, externalId: text, webUrl: text };

/** The usual requests for objects of a kind, whose IDs start with a letter. */
function records(
  path: string,
  letter: string,
  body: Readonly<Record<string, object>>,
  required: readonly string[],
): [string, ApiRoute][] {
  const created = Object.entries(body).map(([name, schema]) => [required.includes(name) ? `${name}!` : name, schema]);
  return [
    [
      `GET ${path}`,
      {
        query: fields({ '$top!': { type: 'string', pattern: '^([1-9]\\d?|100)$' }, $skip: text }),
        answer: ({ query }) => ({
          json: query['$skip']
            ? { value: [{ id: `${letter}2` }] }
            : {
                value: [{ id: `${letter}1`, displayName: 'Errands' }],
                '@odata.nextLink': `https://graph.microsoft.com${path.replaceAll(/:(\w)\w*/g, '$11')}?$top=${String(query['$top'])}&$skip=1`,
              },
        }),
      },
    ],
    [
      `POST ${path}`,
      {
        body: fields(Object.fromEntries(created)),
        answer: ({ body: requestBody }) => ({ json: { id: `${letter}1`, ...(requestBody as object) } }),
      },
    ],
    [`GET ${path}/:id`, { answer: ({ params }) => ({ json: { id: params['id'] } }) }],
    [
      `PATCH ${path}/:id`,
      {
        body: fields(body),
        answer: ({ params, body: requestBody }) => ({ json: { id: params['id'], ...(requestBody as object) } }),
      },
    ],
    [`DELETE ${path}/:id`, { answer: () => ({ status: 204 }) }],
  ];
}

/** https://learn.microsoft.com/graph/api/resources/todo-overview, for the token `t`. */
export function toDoServer(): Promise<ApiServer> {
  const lists = '/v1.0/me/todo/lists';
  return apiServer({
    baseUrl: 'https://graph.microsoft.com',
    headers: { authorization: /^Bearer t$/ },
    routes: Object.fromEntries([
      ...records(lists, 'l', { displayName: text }, ['displayName']),
      ...records(`${lists}/:list/tasks`, 't', task, ['title']),
      ...records(`${lists}/:list/tasks/:task/linkedResources`, 'r', link, ['applicationName', 'displayName']),
    ]),
  });
}
