import { type ApiRoute, type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const flag = { type: 'boolean' };
const texts = (...names: string[]) => Object.fromEntries(names.map((name) => [name, text]));
const listOf = (items: object) => ({ type: 'array', items, minItems: 1 });
const time = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' };
const digits = { type: 'string', pattern: '^\\d+$' };
const here = { const: 'loc1' };
const page = { 'limit!': { type: 'string', pattern: '^([1-9]\\d?|100)$' }, startAfter: digits, startAfterId: text };
const customFields = listOf(fields({ 'id!': text, 'field_value!': {} }));

const contact = {
  ...texts('address1', 'assignedTo', 'city', 'companyName', 'country', 'email', 'firstName', 'lastName', 'name', 'phone'),
  ...texts('postalCode', 'source', 'state', 'timezone', 'website'),
  customFields,
  dnd: flag,
  tags: listOf(text),
};
const opportunity = {
  ...texts('assignedTo', 'name', 'pipelineId', 'pipelineStageId', 'status'),
  customFields,
  monetaryValue: { type: 'number' },
};
const task = { ...texts('title', 'body', 'assignedTo'), completed: flag, dueDate: time };
const deleted: ApiRoute = { answer: () => ({ json: { succeded: true } }) };
const pages = (list: string, query: Record<string, object>): ApiRoute => ({
  query: fields({ ...page, ...query }),
  answer: ({ query: { startAfterId } }) => ({
    json:
      startAfterId === undefined
        ? {
            [list]: [{ id: '1', email: 'ann@acme.test' }],
            meta: { nextPageUrl: 'https://x.example', startAfter: 5, startAfterId: '1' },
          }
        : { [list]: [{ id: '2', email: 'Ada@Example.com' }], meta: { nextPageUrl: '' } },
  }),
});

/** https://marketplace.gohighlevel.com/docs/, for the token `t1` of the location `loc1`. */
export function highLevelServer(): Promise<ApiServer> {
  const calendars = { headers: { version: /^2021-04-15$/ } };
  return apiServer({
    baseUrl: 'https://services.leadconnectorhq.com',
    headers: { authorization: /^Bearer t1$/, version: /^2021-0[47]-\d\d$/ },
    routes: {
      'POST /contacts/upsert': {
        body: fields({ ...contact, 'locationId!': here }),
        answer: ({ body }) => {
          const { email } = body as { email?: string };
          return { json: { new: true, contact: { id: 'c1', ...(email !== undefined && { email }) }, traceId: 'x' } };
        },
      },
      'GET /contacts/': pages('contacts', { 'locationId!': here, query: text }),
      'GET /contacts/:id': { answer: ({ params }) => ({ json: { contact: { id: params['id'] } } }) },
      'PUT /contacts/:id': {
        body: fields(contact),
        answer: ({ params }) => ({ json: { succeded: true, contact: { id: params['id'] } } }),
      },
      'DELETE /contacts/:id': deleted,
      'GET /contacts/:contact/tasks': { answer: () => ({ json: { tasks: [{ id: '1' }, { id: '2' }] } }) },
      'POST /contacts/:contact/tasks': {
        body: fields({ ...task, 'title!': text, 'dueDate!': time, 'completed!': flag }),
        answer: () => ({ status: 201, json: { task: { id: '3' } } }),
      },
      'GET /contacts/:contact/tasks/:id': { answer: ({ params }) => ({ json: { task: { id: params['id'] } } }) },
      'PUT /contacts/:contact/tasks/:id': {
        body: fields(task),
        answer: ({ params }) => ({ json: { task: { id: params['id'] } } }),
      },
      'DELETE /contacts/:contact/tasks/:id': deleted,
      'GET /opportunities/pipelines': {
        query: fields({ 'locationId!': here }),
        answer: () => ({
          json: {
            pipelines: [
              { id: 'p1', name: 'Sales', stages: [{ id: 's1', name: 'New' }] },
              { id: 'p2', name: 'Support', stages: [{ id: 's2', name: 'Open' }] },
            ],
          },
        }),
      },
      'GET /opportunities/search': pages('opportunities', {
        'location_id!': here,
        ...texts('assigned_to', 'contact_id', 'pipeline_id', 'pipeline_stage_id', 'q', 'status'),
      }),
      'POST /opportunities/': {
        body: fields({
          ...opportunity,
          'name!': text,
          'pipelineId!': text,
          'status!': text,
          'contactId!': { pattern: '^[^@]+$' },
          'locationId!': here,
        }),
        answer: () => ({ status: 201, json: { opportunity: { id: 'o1' } } }),
      },
      'GET /opportunities/:id': { answer: ({ params }) => ({ json: { opportunity: { id: params['id'] }, traceId: 'x' } }) },
      'PUT /opportunities/:id': {
        body: fields(opportunity),
        answer: ({ params }) => ({ json: { opportunity: { id: params['id'] } } }),
      },
      'DELETE /opportunities/:id': deleted,
      'GET /users/': {
        query: fields({ 'locationId!': here }),
        answer: () => ({ json: { users: [{ id: 'u1', name: 'Ann' }] } }),
      },
      'POST /calendars/events/appointments': {
        ...calendars,
        body: fields({
          ...{ 'calendarId!': text, 'contactId!': text, 'locationId!': text, 'startTime!': time, endTime: time },
          ...texts('title', 'appointmentStatus', 'assignedUserId', 'address'),
          ignoreDateRange: flag,
          toNotify: flag,
        }),
        answer: () => ({ status: 201, json: { id: 'a1' } }),
      },
      'GET /calendars/:id/free-slots': {
        ...calendars,
        query: fields({
          ...{ 'startDate!': digits, 'endDate!': digits, timezone: text, userId: text, enableLookBusy: text },
          userIds: { anyOf: [text, listOf(text)] },
        }),
        answer: () => ({ json: { '2026-01-31': { slots: ['2026-01-31T10:00:00+01:00'] }, traceId: 'x' } }),
      },
    },
  });
}
