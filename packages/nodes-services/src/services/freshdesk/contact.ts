import type { NodeProperty } from '@sluice/node-sdk';
import { choice, choices, collection, names, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { customFields, type Field, listed, membersOf, pathOf } from './freshdesk-client.ts';

const name = text('name', 'Name', 'Name of the contact');
const email = text('email', 'Email', 'Email address of the contact');
const written: readonly NodeProperty[] = [
  text('address', 'Address', 'Address of the contact'),
  text('company_id', 'Company', 'ID of the company'),
  customFields,
  text('description', 'Description', 'Description of the contact'),
  text('job_title', 'Job Title', 'Job title of the contact'),
  text('language', 'Language', 'Language of the contact, such as `en`'),
  text('mobile', 'Mobile', 'Number of the mobile phone'),
  names('other_emails', 'Other Emails', 'Further email addresses'),
  text('phone', 'Phone', 'Number of the phone'),
  names('tags', 'Tags', 'Tags of the contact'),
  text('time_zone', 'Time Zone', 'Time zone of the contact, such as `Berlin`'),
  text('twitter_id', 'Twitter ID', 'Name of the contact on Twitter'),
  text('unique_external_id', 'Unique External ID', 'ID of the contact elsewhere'),
  toggle('view_all_tickets', 'View All Tickets', 'Whether the contact sees all tickets of the company'),
];
const kinds: Readonly<Record<string, Field['is']>> = {
  company_id: 'integer',
  other_emails: 'names',
  tags: 'names',
  view_all_tickets: 'toggle',
  customFields: 'custom',
};
const fields: Readonly<Record<string, Field>> = Object.fromEntries(
  [name, email, ...written].map((property) => {
    const is = kinds[property.name];
    const member = property.name === 'customFields' ? 'custom_fields' : property.name;
    return [property.name, { member, ...(is !== undefined && { is }) }];
  }),
);
const filters: Readonly<Record<string, Field>> = {
  company_id: { member: 'company_id', is: 'integer' },
  email: { member: 'email' },
  mobile: { member: 'mobile' },
  phone: { member: 'phone' },
  state: { member: 'state' },
  updated_since: { member: 'updated_since', is: 'time' },
};
const contactId = text('contactId', 'Contact ID', 'ID of the contact', { required: true });
const pathOfContact = (item: ServiceItem) => pathOf(item, 'contacts', 'contactId');

/** https://developers.freshdesk.com/api/#contacts */
export const contact: Resource = {
  displayName: 'Contact',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a contact',
      properties: [
        { ...name, required: true },
        text(
          'email',
          'Email',
          'Email address of the contact; without it, a phone, a Twitter ID, or an external ID is required',
        ),
        collection('additionalFields', 'Additional Fields', written),
      ],
      async run(item) {
        const address = item.optional('email');
        const json = {
          name: item.required('name'),
          ...(address !== undefined && { email: address }),
          ...(await membersOf(item, 'additionalFields', fields)),
        };
        return item.send({ path: '/contacts', json });
      },
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a contact, which an agent may restore',
      properties: [contactId],
      run: (item) => item.perform({ method: 'DELETE', path: pathOfContact(item) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a contact',
      properties: [contactId],
      run: (item) => item.send({ path: pathOfContact(item) }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists contacts',
      properties: [
        ...listPropertiesOf(),
        collection('filters', 'Filters', [
          text('company_id', 'Company ID', 'ID of the company'),
          email,
          text('mobile', 'Mobile', 'Number of the mobile phone'),
          text('phone', 'Phone', 'Number of the phone'),
          choice(
            'state',
            'State',
            choices(['verified', 'Verified'], ['unverified', 'Unverified'], ['blocked', 'Blocked'], ['deleted', 'Deleted']),
          ),
          text('updated_since', 'Updated Since', 'Time since which the contacts were changed'),
        ]),
      ],
      run: async (item) => listed(item, '/contacts', await membersOf(item, 'filters', filters)),
    },
    update: {
      displayName: 'Update',
      description: 'Changes a contact; tags and custom fields that are set replace those that it has',
      properties: [contactId, collection('additionalFields', 'Additional Fields', [name, email, ...written])],
      async run(item) {
        const json = await membersOf(item, 'additionalFields', fields);
        return item.send({ method: 'PUT', path: pathOfContact(item), json });
      },
    },
  },
};
