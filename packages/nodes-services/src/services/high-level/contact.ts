import type { JsonObject, NodeProperty } from '@sluice/node-sdk';
import { collection, names, namesParameter, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { filledFields } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { customFields, customFieldsIn, encoded, id, listed, listProperties, locationOf, sendFor } from './high-level-client.ts';

const written: readonly NodeProperty[] = [
  text('address1', 'Address', 'Street and number'),
  text('assignedTo', 'Assigned To', 'ID of the user', { typeOptions: { loadOptionsMethod: 'getUsers' } }),
  text('city', 'City', 'City'),
  text('companyName', 'Company Name', 'Name of the company'),
  text('country', 'Country', 'Code of the country, such as `US`'),
  customFields,
  toggle('dnd', 'Do Not Disturb', 'Whether the contact receives no messages'),
  text('firstName', 'First Name', 'First name'),
  text('lastName', 'Last Name', 'Last name'),
  text('name', 'Full Name', 'Full name'),
  text('postalCode', 'Postal Code', 'Postal code'),
  text('source', 'Source', 'Where the contact comes from'),
  text('state', 'State', 'State or region'),
  names('tags', 'Tags', 'Tags of the contact; a change replaces all of them'),
  text('timezone', 'Timezone', 'Time zone, such as `Europe/Berlin`'),
  text('website', 'Website', 'Address of the website'),
];
const email = text('email', 'Email', 'Email address; a new contact needs it or a phone number');
const phone = text('phone', 'Phone', 'Phone number with its country code, such as +12015550123');
const changed = [email, phone, ...written];
const contactId = id('contactId', 'Contact ID', 'ID of the contact');

/** https://marketplace.gohighlevel.com/docs/ghl/contacts/contacts */
export const contact: Resource = {
  displayName: 'Contact',
  operations: {
    create: {
      displayName: 'Create or Update',
      description: 'Creates a contact, or changes the contact with the same email address or phone number',
      properties: [email, phone, collection('additionalFields', 'Additional Fields', written)],
      async run(item) {
        const address = filledFields({ email: item.text('email').trim(), phone: item.text('phone').trim() });
        if (Object.keys(address).length === 0)
          throw item.error('the contact has no email address and no phone number', 'Set one of them');
        const json = { locationId: await locationOf(item.access), ...address, ...contactOf(item, 'additionalFields') };
        return sendFor(item, { path: '/contacts/upsert', json }, 'contact');
      },
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a contact',
      properties: [contactId],
      run: (item) => item.perform({ method: 'DELETE', path: `/contacts/${encoded(item, 'contactId')}` }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a contact',
      properties: [contactId],
      run: (item) => sendFor(item, { path: `/contacts/${encoded(item, 'contactId')}` }, 'contact'),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists contacts',
      properties: [
        ...listProperties,
        collection('filters', 'Filters', [text('query', 'Query', 'Name, email address, or phone number to search for')]),
      ],
      run: async (item) => {
        const { query } = item.fields('filters');
        return listed(item, '/contacts/', { locationId: await locationOf(item.access), query }, 'contacts');
      },
    },
    update: {
      displayName: 'Update',
      description: 'Changes a contact; fields that are not set are kept',
      properties: [contactId, collection('updateFields', 'Update Fields', changed)],
      run: (item) => {
        const json = contactOf(item, 'updateFields');
        return sendFor(item, { method: 'PUT', path: `/contacts/${encoded(item, 'contactId')}`, json }, 'contact');
      },
    },
  },
};

function contactOf(item: ServiceItem, path: string): JsonObject {
  const { customFields: _, tags: options, ...fields } = item.typedFields(path, changed);
  const tags = options === undefined ? [] : namesParameter(item.context, `${path}.tags`, item.index);
  return { ...fields, ...(tags.length > 0 && { tags }), ...customFieldsIn(item, path) };
}
