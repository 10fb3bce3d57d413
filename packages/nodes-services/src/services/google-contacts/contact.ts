import { type JsonObject, mapSliced, type NodeProperty } from '@sluice/node-sdk';
import { choice, choices, options, text, toggle, where } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import { cursorPaging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { chosenFields, identified, personFields, personPath } from './google-contacts-client.ts';
import { simplified } from './simplified-person.ts';
import { fieldsOf, mergedName, personOf } from './written-person.ts';

const contactId = text('contactId', 'Contact ID', 'ID of the contact', { required: true });
const familyName = text('familyName', 'Family Name', 'Family name');
const givenName = text('givenName', 'Given Name', 'Given name');
const fields: NodeProperty = {
  displayName: 'Fields',
  name: 'fields',
  type: 'multiOptions',
  default: [],
  options: [{ name: '*', value: '*' }, ...personFields.map((field) => ({ name: field, value: field }))],
  description: 'Fields to return; default: all',
};
const rawData = toggle('rawData', 'RAW Data', 'Whether to return contacts as Google sends them, instead of simplified ones');
const useQuery = toggle('useQuery', 'Use Query', 'Whether to search contacts');

const defaultLimit = 100;
const pageSize = 1_000;
const pages = cursorPaging('connections', 'nextPageToken', 'pageToken');
/** Maximum number of contacts in a search result. */
const maxFound = 30;

/** https://developers.google.com/people/api/rest/v1/people */
export const contact: Resource = {
  displayName: 'Contact',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a contact',
      properties: [familyName, givenName, fieldsOf('additionalFields', 'Additional Fields')],
      run: async (item) => {
        const own = { familyName: item.text('familyName'), givenName: item.text('givenName') };
        const json = personOf(item, 'additionalFields', own);
        return identified(objectOf(await item.send({ path: '/people:createContact', json })));
      },
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a contact',
      properties: [contactId],
      run: (item) => item.perform({ method: 'DELETE', path: personPath(item, ':deleteContact') }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a contact',
      properties: [contactId, fields, rawData],
      run: async (item) =>
        shown(item, objectOf(await item.send({ path: personPath(item), query: { personFields: chosenFields(item).join() } }))),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists contacts, or finds up to 30 of them',
      properties: [
        ...listPropertiesOf(defaultLimit),
        fields,
        useQuery,
        text('query', 'Query', 'Beginning of a name, an email address, a phone number, or an organization', {
          ...where({ useQuery: [true] }),
        }),
        rawData,
        options([
          choice(
            'sortOrder',
            'Order By',
            choices(
              ['LAST_MODIFIED_ASCENDING', 'Last Modified Ascending'],
              ['LAST_MODIFIED_DESCENDING', 'Last Modified Descending'],
              ['FIRST_NAME_ASCENDING', 'First Name Ascending'],
              ['LAST_NAME_ASCENDING', 'Last Name Ascending'],
            ),
          ),
        ]),
      ],
      run: async (item) => {
        const records = item.toggle('useQuery') ? await searched(item) : await listed(item);
        return mapSliced(records, (person) => shown(item, person));
      },
    },
    update: {
      displayName: 'Update',
      description: 'Changes a contact; fields that are not set are kept',
      properties: [
        contactId,
        { ...fields, description: 'Fields to return; default: the changed fields' },
        fieldsOf(
          'updateFields',
          'Update Fields',
          text('etag', 'ETag', 'Version that is changed; another one is an error. Default: the current one'),
          familyName,
          givenName,
        ),
      ],
      run: update,
    },
  },
};

const shown = (item: ServiceItem, person: JsonObject): JsonObject =>
  item.toggle('rawData') ? identified(person) : simplified(person);

function listed(item: ServiceItem): Promise<JsonObject[]> {
  const limit = item.limit(defaultLimit);
  const query = {
    personFields: chosenFields(item).join(),
    pageSize: Math.min(limit, pageSize),
    sortOrder: item.text('options.sortOrder'),
  };
  return item.list({ path: '/people/me/connections', query }, pages, limit);
}

/** Google requires an empty search first, which refreshes the search cache. */
async function searched(item: ServiceItem): Promise<JsonObject[]> {
  const path = '/people:searchContacts';
  const readMask = chosenFields(item).join();
  const query = item.required('query');
  await item.send({ path, query: { readMask: 'names', query: ' ', pageSize: 1 } });
  const limit = Math.min(item.limit(defaultLimit), maxFound);
  const { results } = objectOf(await item.send({ path, query: { readMask, query, pageSize: limit } }));
  return objectsOf(results).map(({ person }) => objectOf(person));
}

/** A change must send the current version of the contact. */
async function update(item: ServiceItem): Promise<JsonObject> {
  const { etag, familyName: family, givenName: firstName } = item.fields('updateFields');
  const changed = personOf(item, 'updateFields', { familyName: family, givenName: firstName });
  const fieldNames = Object.keys(changed);
  if (fieldNames.length === 0) throw item.error('no field is changed', 'Set at least one update field');
  const before = objectOf(await item.send({ path: personPath(item), query: { personFields: 'metadata,names' } }));
  const query = { updatePersonFields: fieldNames.join(), personFields: chosenFields(item, fieldNames).join() };
  const json = { etag: textOf(etag) || (before['etag'] ?? ''), ...mergedName(before, changed) };
  return identified(objectOf(await item.send({ method: 'PATCH', path: personPath(item, ':updateContact'), query, json })));
}
