import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { example } from './high-level.example.ts';
import { highLevel } from './high-level.ts';
import { highLevelServer } from './testing/high-level-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await highLevelServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { highLevelOAuth2Api: { oauthTokenData: { access_token: 't1', locationId: 'loc1' } } };
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(highLevel, { parameters, http: server.http, credentials, ...more });
const sent = () =>
  server.received.map(({ method, url, body }): JsonValue[] => [
    `${method} ${url}`,
    body.length > 0 ? JSON.parse(body.toString()) : null,
  ]);
const task = { resource: 'task', contactId: 'c1' };
const opportunity = { resource: 'opportunity' };
const calendar = { resource: 'calendar', calendarId: 'k1' };

test('the example', async () => {
  const parameters = { email: 'ada@example.com', additionalFields: { firstName: 'Ada', tags: ['web'] } };
  expect(await run(parameters)).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual([
    ['POST /contacts/upsert', { locationId: 'loc1', email: 'ada@example.com', firstName: 'Ada', tags: ['web'] }],
  ]);
});

test.each<[JsonObject, string, JsonValue]>([
  [
    {
      phone: ' +12015550123',
      additionalFields: {
        dnd: false,
        tags: 'a, b',
        customFields: {
          values: [
            { fieldId: { __rl: true, mode: 'id', value: 'f1' }, fieldValue: 'x' },
            { fieldId: 'f2', fieldValue: ['y'] },
            { fieldValue: 'z' },
          ],
        },
      },
    },
    'POST /contacts/upsert',
    {
      locationId: 'loc1',
      phone: '+12015550123',
      dnd: false,
      tags: ['a', 'b'],
      customFields: [
        { id: 'f1', field_value: 'x' },
        { id: 'f2', field_value: ['y'] },
      ],
    },
  ],
  [{ operation: 'update', contactId: 'a/b?c', updateFields: { lastName: 'L' } }, 'PUT /contacts/a%2Fb%3Fc', { lastName: 'L' }],
  [
    { operation: 'update', contactId: 'c1', updateFields: { phone: 12015550123, postalCode: 10115, dnd: 'true' } },
    'PUT /contacts/c1',
    { phone: '12015550123', postalCode: '10115', dnd: true },
  ],
  [
    { ...opportunity, operation: 'update', opportunityId: 'o1', updateFields: { name: 7, monetaryValue: '5.5' } },
    'PUT /opportunities/o1',
    { name: '7', monetaryValue: 5.5 },
  ],
  [
    { ...task, operation: 'update', taskId: '1', updateFields: { title: 7, completed: 'false' } },
    'PUT /contacts/c1/tasks/1',
    { title: '7', completed: false },
  ],
  [
    {
      ...calendar,
      contactId: 'c1',
      startTime: '2026-01-31T12:00:00Z',
      additionalFields: { title: 7, ignoreDateRange: 'true' },
    },
    'POST /calendars/events/appointments',
    {
      ...{ calendarId: 'k1', locationId: 'loc1', contactId: 'c1', startTime: '2026-01-31T12:00:00.000Z' },
      ...{ title: '7', ignoreDateRange: true },
    },
  ],
  [{ operation: 'get', contactId: 'c1', requestOptions: {} }, 'GET /contacts/c1', null],
  [{ operation: 'delete', contactId: 'c1' }, 'DELETE /contacts/c1', null],
  [
    { ...opportunity, name: 'O', contactId: 'c1', pipelineId: 'p1', additionalFields: { stageId: 's1', monetaryValue: 5 } },
    'POST /opportunities/',
    {
      pipelineId: 'p1',
      name: 'O',
      status: 'open',
      contactId: 'c1',
      locationId: 'loc1',
      monetaryValue: 5,
      pipelineStageId: 's1',
    },
  ],
  [
    { ...opportunity, operation: 'update', opportunityId: 'o1', updateFields: { status: 'won', assignedTo: '' } },
    'PUT /opportunities/o1',
    { status: 'won' },
  ],
  [{ ...opportunity, operation: 'get', opportunityId: 'o1' }, 'GET /opportunities/o1', null],
  [{ ...opportunity, operation: 'delete', opportunityId: 'o1' }, 'DELETE /opportunities/o1', null],
  [
    { ...task, title: 'T', dueDate: '2026-01-31T12:00:00', additionalFields: { body: 'B' } },
    'POST /contacts/c1/tasks',
    { title: 'T', completed: false, dueDate: '2026-01-31T11:00:00.000Z', body: 'B' },
  ],
  [
    { ...task, operation: 'update', taskId: '1', updateFields: { completed: true, dueDate: '2026-01-31T12:00:00Z' } },
    'PUT /contacts/c1/tasks/1',
    { completed: true, dueDate: '2026-01-31T12:00:00.000Z' },
  ],
  [{ ...task, operation: 'get', taskId: '1' }, 'GET /contacts/c1/tasks/1', null],
  [{ ...task, operation: 'delete', taskId: '1' }, 'DELETE /contacts/c1/tasks/1', null],
  [
    { ...calendar, contactId: 'c1', startTime: '2026-01-31T12:00:00', additionalFields: { title: 'Call', toNotify: false } },
    'POST /calendars/events/appointments',
    {
      calendarId: 'k1',
      locationId: 'loc1',
      contactId: 'c1',
      startTime: '2026-01-31T11:00:00.000Z',
      title: 'Call',
      toNotify: false,
    },
  ],
  [
    { ...calendar, locationId: 'loc2', contactId: 'c1', startTime: '2026-01-31T12:00:00Z' },
    'POST /calendars/events/appointments',
    { calendarId: 'k1', locationId: 'loc2', contactId: 'c1', startTime: '2026-01-31T12:00:00.000Z' },
  ],
  [
    {
      ...calendar,
      operation: 'getFreeSlots',
      startDate: 1769817600000,
      endDate: '2026-02-01T00:00:00Z',
      additionalFields: { timezone: 'Europe/Berlin', userIds: 'u1,u2' },
    },
    'GET /calendars/k1/free-slots?startDate=1769817600000&endDate=1769904000000&timezone=Europe%2FBerlin&userIds=u1&userIds=u2',
    null,
  ],
])('%j is one request', async (parameters, request, body) => {
  expect(await run(parameters, { timezone: 'Europe/Berlin' })).toHaveLength(1);
  expect(sent()).toEqual([[request, body]]);
});

test('records are output without what surrounds them, except an opportunity that is read', async () => {
  expect(await run({ operation: 'get', contactId: 'c1' })).toEqual([{ id: 'c1' }]);
  expect(await run({ ...task, operation: 'get', taskId: '1' })).toEqual([{ id: '1' }]);
  expect(await run({ ...opportunity, operation: 'get', opportunityId: 'o1' })).toEqual([
    { opportunity: { id: 'o1' }, traceId: 'x' },
  ]);
});

test('lists are read to their end, or to the limit', async () => {
  const all = await run({ operation: 'getAll', returnAll: true, filters: { query: 'a&b' } });
  expect(all.map(({ id }) => id)).toEqual(['1', '2']);
  expect(await run({ ...opportunity, operation: 'getAll', limit: 1, filters: { query: 'q', stageId: 's1' } })).toHaveLength(1);
  expect(await run({ ...task, operation: 'getAll', limit: 1 })).toEqual([{ id: '1' }]);
  expect(sent().map(([request]) => request)).toEqual([
    'GET /contacts/?locationId=loc1&query=a%26b&limit=100',
    'GET /contacts/?locationId=loc1&query=a%26b&limit=100&startAfter=5&startAfterId=1',
    'GET /opportunities/search?location_id=loc1&pipeline_stage_id=s1&q=q&limit=1',
    'GET /contacts/c1/tasks',
  ]);
});

test('a contact is named by its email address', async () => {
  await run({ ...task, operation: 'getAll', contactId: 'ada@example.com' });
  expect(sent().at(-1)).toEqual(['GET /contacts/2/tasks', null]);
  await expect(run({ ...task, operation: 'getAll', contactId: 'a@example.com' })).rejects.toThrow(
    'no contact has this email address',
  );
});

test.each<[JsonObject, string]>([
  [{ email: ' ' }, 'the contact has no email address and no phone number'],
  [{ ...opportunity, name: 'O', contactId: 'c1' }, 'the parameter "pipelineId" is required'],
  [{ ...task, title: 'T', dueDate: 'soon' }, 'the value of "dueDate" is not a date'],
  [{ ...calendar, operation: 'getFreeSlots', startDate: 'soon', endDate: '1' }, 'the parameter "startDate" is not a time'],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('an error has the message of the service; it does not affect other items, and a request over the limit is retried', async () => {
  server.on('GET /contacts/:id', ({ count }) => {
    if (count === 1) return { status: 422, json: { message: ['id is wrong'], error: 'Unprocessable Entity', statusCode: 422 } };
    return count === 2 ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : { json: { contact: { id: 'c1' } } };
  });
  const options = { json: [{}, {}], continueOnFail: true };
  expect(await run({ operation: 'get', contactId: 'c1' }, options)).toEqual([
    { error: 'HighLevel: id is wrong (422)' },
    { id: 'c1' },
  ]);
});

test.each<[string, JsonObject, string[]]>([
  ['getPipelines', {}, ['p1', 'p2']],
  ['getPipelineStages', { pipelineId: 'p2' }, ['s2']],
  ['getPipelineStages', {}, ['s1', 's2']],
  ['getUsers', {}, ['u1']],
])('editors choose by name: %s with %j', async (method, parameters, values) => {
  const context = webhookContext({ http: server.http, credentials, parameters });
  const choices = (await highLevel.methods?.loadOptions?.[method]?.(context)) ?? [];
  expect(choices.map(({ value }) => value)).toEqual(values);
});
