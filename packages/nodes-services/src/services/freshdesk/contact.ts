import type { JsonObject, NodeProperty } from '@sluice/node-sdk';
import { choice, choices, collection, names, number, options, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { attributesOf, customFields, listed } from './freshdesk-client.ts';

/** A new contact needs one of these. */
const identities = ['name', 'email', 'phone', 'mobile'];

const attributes: readonly NodeProperty[] = [
  text('address', 'Address', 'Address of the contact'),
  number('company_id', 'Company ID', 0, 'ID of the first company'),
  customFields,
  text('description', 'Description', 'Notes about the contact'),
  text('email', 'Email', 'First email address'),
  text('job_title', 'Job Title', 'Job title of the contact'),
  text('language', 'Language', 'Language of the contact, such as `en`'),
  text('mobile', 'Mobile', 'Mobile number'),
  text('name', 'Name', 'Name of the contact'),
  names('other_emails', 'Other Emails', 'More email addresses'),
  text('phone', 'Phone', 'Phone number'),
  names('tags', 'Tags', 'Tags of the contact'),
  text('time_zone', 'Time Zone', 'Time zone as Freshdesk names it, such as `Eastern Time (US & Canada)`'),
  text('twitter_id', 'Twitter ID', 'Handle of the contact'),
  text('unique_external_id', 'Unique External ID', 'ID of the contact elsewhere'),
  toggle('view_all_tickets', 'View All Tickets', 'Whether the contact sees all tickets of the company'),
];

const contactId = text('contactId', 'Contact ID', 'ID of the contact', { required: true });
const path = (item: ServiceItem) => `/contacts/${encodeURIComponent(item.id('contactId'))}`;
const bodyOf = (item: ServiceItem, collectionName: string): Promise<JsonObject> =>
  attributesOf(item, collectionName, attributes, { lists: ['other_emails', 'tags'] });

const filters: readonly NodeProperty[] = [
  number('company_id', 'Company ID', 0, 'ID of the company'),
  text('email', 'Email', 'Email address of the contact'),
  text('mobile', 'Mobile', 'Mobile number of the contact'),
  text('phone', 'Phone', 'Phone number of the contact'),
  choice(
    'state',
    'State',
    choices(['verified', 'Verified'], ['unverified', 'Unverified'], ['blocked', 'Blocked'], ['deleted', 'Deleted']),
  ),
  text('updated_since', 'Updated Since', 'Contacts changed since then'),
];

/** https://developers.freshdesk.com/api/#contacts */
export const contact: Resource = {
  displayName: 'Contact',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a contact',
      properties: [collection('additionalFields', 'Additional Fields', attributes)],
      run: async (item) => {
        const json = await bodyOf(item, 'additionalFields');
        if (identities.some((name) => name in json)) return item.send({ path: '/contacts', json });
        throw item.error('the contact has no name or address', `Set one of the fields ${identities.join(', ')}`);
      },
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a contact; Freshdesk can restore it',
      properties: [contactId],
      run: (item) => item.perform({ method: 'DELETE', path: path(item) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a contact',
      properties: [contactId],
      run: (item) => item.send({ path: path(item) }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists contacts',
      properties: [...listPropertiesOf(), options(filters)],
      run: async (item) =>
        listed(item, '/contacts', await attributesOf(item, 'options', filters, { lists: [], times: ['updated_since'] })),
    },
    update: {
      displayName: 'Update',
      description: 'Changes a contact',
      properties: [contactId, collection('updateFields', 'Update Fields', attributes)],
      run: async (item) => item.send({ method: 'PUT', path: path(item), json: await bodyOf(item, 'updateFields') }),
    },
  },
};
