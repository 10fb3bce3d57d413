import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject, MethodContext } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { example } from './google-contacts.example.ts';
import { googleContacts } from './google-contacts.ts';
import { googleContactsServer } from './testing/google-contacts-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await googleContactsServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { googleContactsOAuth2Api: { oauthTokenData: { access_token: 'ya29' } } };
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(googleContacts, { parameters, http: server.http, credentials, ...more });
const sent = () => server.received.map(({ method, url }) => `${method} ${decodeURIComponent(url.replace('/v1', ''))}`);
const bodyOf = () => JSON.parse(server.received.at(-1)?.body.toString() ?? '');

test('the example', async () => {
  expect(await run(example.parameters)).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual(['POST /people:createContact']);
});

test('a contact is created with all its fields', async () => {
  const additionalFields = {
    addressesUi: { addressesValues: [{ streetAddress: 'Street 1', city: 'London', region: '', type: 'home' }] },
    birthday: '1990-01-31T23:30:00Z',
    companyUi: { companyValues: [{ current: true, name: 'Engines', title: 'CTO', domain: '' }] },
    customFieldsUi: { customFieldsValues: [{ key: 'Number', value: '7' }] },
    emailsUi: { emailsValues: [{ type: 'work', value: 'ada@example.com' }] },
    eventsUi: { eventsValues: [{ date: '2020-05-06', type: 'anniversary' }] },
    group: ['friends', 'contactGroups/family'],
    honorificPrefix: 'Dr.',
    middleName: 'K',
    notes: 'First',
    relationsUi: { relationsValues: [{ person: 'Bob', type: 'spouse' }] },
  };
  await run({ givenName: 'Ada', familyName: '', additionalFields }, { timezone: 'Europe/Berlin' });
  expect(bodyOf()).toEqual({
    names: [{ honorificPrefix: 'Dr.', middleName: 'K', givenName: 'Ada' }],
    birthdays: [{ date: { year: 1990, month: 2, day: 1 } }],
    biographies: [{ value: 'First', contentType: 'TEXT_PLAIN' }],
    memberships: ['friends', 'family'].map((id) => ({
      contactGroupMembership: { contactGroupResourceName: `contactGroups/${id}` },
    })),
    addresses: [{ streetAddress: 'Street 1', city: 'London', type: 'home' }],
    organizations: [{ current: true, name: 'Engines', title: 'CTO' }],
    userDefined: [{ key: 'Number', value: '7' }],
    emailAddresses: [{ type: 'work', value: 'ada@example.com' }],
    relations: [{ person: 'Bob', type: 'spouse' }],
    events: [{ date: { year: 2020, month: 5, day: 6 }, type: 'anniversary' }],
  });
});

const simple = {
  contactId: 'c1',
  resourceName: 'people/c1',
  etag: '%e1',
  names: { displayName: 'Ada Lovelace', familyName: 'Lovelace', givenName: 'Ada' },
  birthdays: '1/31/1990',
  emailAddresses: {
    home: ['ada@home.example'],
    work: ['ada@work.example', 'ada2@work.example'],
    other: ['x@example.com'],
  },
  events: { anniversary: ['12/24'] },
  addresses: { home: [{ city: 'London' }] },
  nicknames: [{ value: 'Countess' }],
};

test('a contact is returned simplified, or unchanged', async () => {
  const parameters = { operation: 'get', contactId: 'people/c1', fields: ['names', 'birthdays'] };
  expect(await run(parameters)).toEqual([simple]);
  const [raw] = await run({ ...parameters, rawData: true });
  expect(raw).toMatchObject({ contactId: 'c1', metadata: { sources: [] }, birthdays: [{ date: { year: 1990 } }] });
  expect(sent()[0]).toBe('GET /people/c1?personFields=names,birthdays');
});

test.each<[JsonObject, string[], number]>([
  [
    { returnAll: true, fields: ['names'], options: { sortOrder: 'LAST_NAME_ASCENDING' } },
    [
      'GET /people/me/connections?personFields=names&pageSize=1000&sortOrder=LAST_NAME_ASCENDING',
      'GET /people/me/connections?personFields=names&pageSize=1000&sortOrder=LAST_NAME_ASCENDING&pageToken=p2',
    ],
    2,
  ],
  [{ limit: 1, fields: ['names'] }, ['GET /people/me/connections?personFields=names&pageSize=1'], 1],
  [
    { useQuery: true, query: 'Ad', fields: ['names'] },
    [
      'GET /people:searchContacts?readMask=names&query=+&pageSize=1',
      'GET /people:searchContacts?readMask=names&query=Ad&pageSize=30',
    ],
    1,
  ],
])('contacts are listed to their end, or to the limit, or found: %j', async (parameters, requests, count) => {
  expect(await run({ operation: 'getAll', ...parameters })).toHaveLength(count);
  expect(sent()).toEqual(requests);
});

test('all fields are read if none are selected', async () => {
  await run({ operation: 'get', contactId: 'c1', fields: ['*'] });
  await run({ operation: 'get', contactId: 'c1' });
  expect(sent()[0]).toBe(sent()[1]);
  expect(sent()[0]).toMatch(/personFields=addresses,.*,userDefined$/);
});

test('a contact is changed in its current version; other parts of the name are kept', async () => {
  const updateFields = { givenName: 'Augusta', notes: 'New' };
  expect(await run({ operation: 'update', contactId: 'c1', fields: [], updateFields })).toMatchObject([{ contactId: 'c1' }]);
  expect(sent()).toEqual([
    'GET /people/c1?personFields=metadata,names',
    'PATCH /people/c1:updateContact?updatePersonFields=names,biographies&personFields=names,biographies',
  ]);
  expect(bodyOf()).toEqual({
    etag: '%e1',
    names: [{ familyName: 'Lovelace', givenName: 'Augusta' }],
    biographies: [{ value: 'New', contentType: 'TEXT_PLAIN' }],
  });
});

test('a contact is changed in the version that the author specifies', async () => {
  await run({ operation: 'update', contactId: 'c1', fields: ['names'], updateFields: { etag: '%e0', notes: 'New' } });
  expect(bodyOf()).toMatchObject({ etag: '%e0' });
  expect(sent().at(-1)).toBe('PATCH /people/c1:updateContact?updatePersonFields=biographies&personFields=names');
});

test('a contact is deleted', async () => {
  expect(await run({ operation: 'delete', contactId: 'c1' })).toEqual([{ success: true }]);
  expect(sent()).toEqual(['DELETE /people/c1:deleteContact']);
});

test.each<[JsonObject, string]>([
  [{ operation: 'get' }, 'the parameter "contactId" is required'],
  [{ operation: 'getAll', useQuery: true }, 'the parameter "query" is required'],
  [{ operation: 'update', contactId: 'c1', updateFields: {} }, 'no field is changed'],
  [{ additionalFields: { birthday: 'soon' } }, 'the field "birthday" is not a date'],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('an error includes the reason from Google; a failed item does not affect the others', async () => {
  server.on('DELETE /v1/people/:id::deleteContact', ({ count }) =>
    count === 1 ? { status: 404, json: { error: { code: 404, message: 'Not found', status: 'NOT_FOUND' } } } : { json: {} },
  );
  const parameters = { operation: 'delete', contactId: 'c1' };
  expect(await run(parameters, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'Google Contacts: Not found (NOT_FOUND)' },
    { success: true },
  ]);
});

test('a request over the quota is retried', async () => {
  server.on('DELETE /v1/people/:id::deleteContact', ({ count }) =>
    count === 1 ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : { json: {} },
  );
  expect(await run({ operation: 'delete', contactId: 'c1' })).toEqual([{ success: true }]);
});

test('groups can be chosen', async () => {
  const context: MethodContext = webhookContext({ http: server.http, credentials });
  expect(await googleContacts.methods?.loadOptions?.['getGroups']?.(context)).toEqual([{ name: 'friends', value: 'friends' }]);
});
