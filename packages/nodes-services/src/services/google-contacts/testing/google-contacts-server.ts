import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';
import { personFields } from '../google-contacts-client.ts';

const text = { type: 'string', minLength: 1 };
const mask = { type: 'string', pattern: `^(${personFields.join('|')})(,(${personFields.join('|')}))*$` };
const date = fields({ 'year!': { type: 'integer' }, 'month!': { type: 'integer' }, 'day!': { type: 'integer' } });
const typed = { type: text, value: text };
const some = (properties: Parameters<typeof fields>[0]) => ({ type: 'array', minItems: 1, items: fields(properties) });

const person = {
  names: {
    ...some({ familyName: text, givenName: text, middleName: text, honorificPrefix: text, honorificSuffix: text }),
    maxItems: 1,
  },
  birthdays: some({ 'date!': date }),
  biographies: some({ 'value!': text, 'contentType!': { const: 'TEXT_PLAIN' } }),
  memberships: some({
    'contactGroupMembership!': fields({ 'contactGroupResourceName!': { type: 'string', pattern: '^contactGroups/' } }),
  }),
  addresses: some({ streetAddress: text, city: text, region: text, countryCode: text, postalCode: text, type: text }),
  organizations: some({ current: { type: 'boolean' }, domain: text, name: text, title: text }),
  userDefined: some({ key: text, value: text }),
  emailAddresses: some(typed),
  phoneNumbers: some(typed),
  relations: some({ person: text, type: text }),
  events: some({ 'date!': date, type: text }),
};

const metadata = { primary: true };
const ada = {
  resourceName: 'people/c1',
  etag: '%e1',
  metadata: { sources: [] },
  names: [{ metadata, displayName: 'Ada Lovelace', familyName: 'Lovelace', givenName: 'Ada' }],
  birthdays: [{ metadata, date: { year: 1990, month: 1, day: 31 } }],
  emailAddresses: [
    { metadata, value: 'ada@home.example', type: 'home' },
    { value: 'ada@work.example', type: 'work' },
    { value: 'ada2@work.example', type: 'work' },
    { value: 'x@example.com' },
  ],
  events: [{ metadata, date: { month: 12, day: 24 }, type: 'anniversary' }],
  addresses: [{ metadata, type: 'home', formattedType: 'Home', city: 'London' }],
  nicknames: [{ metadata, value: 'Countess' }],
};

/** https://developers.google.com/people/api/rest, for the token `ya29`. */
export function googleContactsServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://people.googleapis.com',
    headers: { authorization: /^Bearer ya29$/ },
    routes: {
      'GET /v1/people/me/connections': {
        query: fields({
          'personFields!': mask,
          'pageSize!': { type: 'string', pattern: '^([1-9]\\d{0,2}|1000)$' },
          pageToken: text,
          sortOrder: {
            enum: ['LAST_MODIFIED_ASCENDING', 'LAST_MODIFIED_DESCENDING', 'FIRST_NAME_ASCENDING', 'LAST_NAME_ASCENDING'],
          },
        }),
        answer: ({ query }) => ({
          json:
            query['pageToken'] === 'p2'
              ? { connections: [{ resourceName: 'people/c2' }] }
              : { connections: [ada], nextPageToken: 'p2' },
        }),
      },
      'GET /v1/people::searchContacts': {
        query: fields({ 'query!': text, 'readMask!': mask, 'pageSize!': { type: 'string', pattern: '^([12]?\\d|30)$' } }),
        answer: ({ query }) => ({ json: query['query'] === ' ' ? {} : { results: [{ person: ada }] } }),
      },
      'POST /v1/people::createContact': {
        body: fields(person),
        answer: ({ body }) => ({ json: { resourceName: 'people/c1', etag: '%e1', ...(body as object) } }),
      },
      'GET /v1/people/:id': { query: fields({ 'personFields!': mask }), answer: () => ({ json: ada }) },
      'PATCH /v1/people/:id::updateContact': {
        query: fields({ 'updatePersonFields!': mask, 'personFields!': mask }),
        body: fields({ 'etag!': text, ...person }),
        answer: ({ params, body }) => ({ json: { resourceName: `people/${params['id']}`, ...(body as object) } }),
      },
      'DELETE /v1/people/:id::deleteContact': { answer: () => ({ json: {} }) },
      'GET /v1/contactGroups': {
        query: fields({ 'pageSize!': { const: '100' }, pageToken: text }),
        answer: () => ({ json: { contactGroups: [{ resourceName: 'contactGroups/friends', name: 'friends' }] } }),
      },
    },
  });
}
