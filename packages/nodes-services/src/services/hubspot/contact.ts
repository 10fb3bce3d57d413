import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { choice, choices, collection, options, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Operation, Resource } from '../../shared/define-service.ts';
import { asText, objectOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { hubspotClient, listed, searchObjects } from './hubspot-client.ts';
import { chosenProperties, idOf, idProperty, listProperties, readFields, searchProperties } from './hubspot-properties.ts';
import { contactFields, fieldProperties, pairs, propertiesOf } from './object-fields.ts';

const contactId = idProperty('contactId', 'Contact ID');
const additionalFields = collection('additionalFields', 'Additional Fields', [
  choice(
    'formSubmissionMode',
    'Form Submission Mode',
    choices(['all', 'All'], ['none', 'None'], ['newest', 'Newest'], ['oldest', 'Oldest']),
  ),
  toggle('listMemberships', 'List Memberships', 'Whether to return the lists that the contact is in'),
  ...readFields,
]);

export const contact: Resource = {
  displayName: 'Contact',
  initial: 'upsert',
  operations: {
    upsert: {
      displayName: 'Create or Update',
      description: 'Creates a contact, or changes the contact with the email address',
      properties: [
        text('email', 'Email', 'Email address of the contact', { required: true }),
        collection('additionalFields', 'Additional Fields', fieldProperties(contactFields)),
        options([
          toggle('resolveData', 'Resolve Data', 'Whether to return all of the contact instead of its ID', { default: true }),
        ]),
      ],
      run: upsert,
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a contact',
      properties: [contactId],
      run: (item) => item.send({ method: 'DELETE', path: `/contacts/v1/contact/vid/${idOf(item, 'contactId')}` }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a contact',
      properties: [contactId, additionalFields],
      run: (item) => item.send({ path: `/contacts/v1/contact/vid/${idOf(item, 'contactId')}/profile`, query: queryOf(item) }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists contacts',
      properties: [...listProperties, additionalFields],
      run: (item) =>
        listed(
          item,
          { path: '/contacts/v1/lists/all/contacts/all', query: queryOf(item) },
          listForm({ 'vid-offset': 'vidOffset' }),
        ),
    },
    getRecentlyCreatedUpdated: recent(),
    search: {
      displayName: 'Search',
      description: 'Finds contacts',
      properties: [...listProperties, ...searchProperties],
      run: (item) => searchObjects(item, 'contacts'),
    },
  },
};

function recent(): Operation {
  const offsets = { 'vid-offset': 'vidOffset', 'time-offset': 'timeOffset' };
  return {
    displayName: 'Get Recently Created/Updated',
    description: 'Lists the contacts that were created or changed last',
    properties: [...listProperties, additionalFields],
    run: (item) =>
      listed(item, { path: '/contacts/v1/lists/recently_updated/contacts/recent', query: queryOf(item) }, listForm(offsets)),
  };
}

const listForm = (offsets: Record<string, string>) =>
  ({ list: 'contacts', offsets, more: 'has-more', size: ['count', 100] }) as const;

/** https://developers.hubspot.com/docs/api-reference/legacy/contacts-v1 */
async function upsert(item: ServiceItem): Promise<JsonValue | undefined> {
  const path = `/contacts/v1/contact/createOrUpdate/email/${encodeURIComponent(item.required('email').trim())}`;
  const values = await propertiesOf(item, 'additionalFields', contactFields);
  const email: [string, string] = ['email', item.required('email').trim()];
  const written = objectOf(await item.send({ path, json: { properties: pairs([email, ...values], 'property') } }));
  if (!item.toggle('options.resolveData', true)) return written;
  const { vid = '', isNew = false } = written;
  const response = await hubspotClient.send(item.access, {
    path: `/contacts/v1/contact/vid/${encodeURIComponent(asText(vid))}/profile`,
  });
  return { ...objectOf(response), isNew };
}

function queryOf(item: ServiceItem): JsonObject {
  const { formSubmissionMode, listMemberships } = item.fields('additionalFields');
  const { names, withHistory } = chosenProperties(item, 'additionalFields');
  return {
    ...(formSubmissionMode !== undefined && { formSubmissionMode }),
    ...(listMemberships !== undefined && { showListMemberships: listMemberships }),
    ...(names.length > 0 && { property: names, propertyMode: withHistory ? 'value_and_history' : 'value_only' }),
  };
}
