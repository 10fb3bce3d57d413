import type { JsonObject, NodeProperty } from '@sluice/node-sdk';
import { between, choice, choices, collection, names, number, options, text } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { attributesOf, customFields, listed } from './freshdesk-client.ts';

/** A new ticket needs one of these. */
const requesters = ['email', 'requester_id', 'phone', 'facebook_id', 'twitter_id', 'unique_external_id'];

const attributes: readonly NodeProperty[] = [
  names('cc_emails', 'CC Emails', 'Addresses that receive copies'),
  number('company_id', 'Company ID', 0, 'ID of the company'),
  customFields,
  text('description', 'Description', 'First message of the ticket, as HTML'),
  text('due_by', 'Due By', 'When the ticket must be resolved; also set First Response Due By'),
  text('email', 'Email', 'Address of the requester; Freshdesk creates a contact if it has none'),
  number('email_config_id', 'Email Config ID', 0, 'ID of the support address'),
  text('facebook_id', 'Facebook ID', 'Facebook ID of the requester, who must be a contact'),
  text('fr_due_by', 'First Response Due By', 'When the first response must be sent'),
  number('group_id', 'Group ID', 0, 'ID of the group'),
  text('name', 'Name', 'Name of the requester; required with a phone number and without an email address'),
  text('phone', 'Phone', 'Phone number of the requester'),
  between(1, 4, number('priority', 'Priority', 1, '1 low, 2 medium, 3 high, 4 urgent')),
  number('product_id', 'Product ID', 0, 'ID of the product'),
  number('requester_id', 'Requester ID', 0, 'ID of the contact who requests'),
  number('responder_id', 'Responder ID', 0, 'ID of the agent'),
  number('source', 'Source', 2, '1 email, 2 portal, 3 phone, 7 chat, 9 feedback widget, 10 outbound email'),
  number('status', 'Status', 2, '2 open, 3 pending, 4 resolved, 5 closed, or the number of a custom status'),
  text('subject', 'Subject', 'Subject of the ticket'),
  names('tags', 'Tags', 'Tags of the ticket'),
  text('twitter_id', 'Twitter ID', 'Handle of the requester, who must be a contact'),
  text('type', 'Type', 'Type of the ticket, such as `Question`'),
  text('unique_external_id', 'Unique External ID', 'ID of the requester elsewhere'),
];

const ticketId = text('ticketId', 'Ticket ID', 'ID of the ticket', { required: true });
const path = (item: ServiceItem) => `/tickets/${encodeURIComponent(item.id('ticketId'))}`;
const bodyOf = (item: ServiceItem, collectionName: string): Promise<JsonObject> =>
  attributesOf(item, collectionName, attributes, { lists: ['cc_emails', 'tags'], times: ['due_by', 'fr_due_by'] });

const filters: readonly NodeProperty[] = [
  number('company_id', 'Company ID', 0, 'ID of the company'),
  text('email', 'Email', 'Address of the requester'),
  choice(
    'filter',
    'Filter',
    choices(['new_and_my_open', 'New and My Open'], ['watching', 'Watching'], ['spam', 'Spam'], ['deleted', 'Deleted']),
  ),
  choice('include', 'Include', choices(['description', 'Description'], ['requester', 'Requester'], ['stats', 'Stats']), {
    description: 'More details of each ticket; each request with them counts as three',
  }),
  choice(
    'order_by',
    'Order By',
    choices(['created_at', 'Created At'], ['due_by', 'Due By'], ['status', 'Status'], ['updated_at', 'Updated At']),
  ),
  choice('order_type', 'Order', choices(['desc', 'Descending'], ['asc', 'Ascending'])),
  number('requester_id', 'Requester ID', 0, 'ID of the requester'),
  text('updated_since', 'Updated Since', 'Tickets changed since then; without it, those created in the last 30 days'),
];

/** https://developers.freshdesk.com/api/#tickets */
export const ticket: Resource = {
  displayName: 'Ticket',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a ticket',
      properties: [collection('additionalFields', 'Additional Fields', attributes)],
      run: async (item) => {
        const json = await bodyOf(item, 'additionalFields');
        if (requesters.some((name) => name in json)) return item.send({ path: '/tickets', json });
        throw item.error('the ticket has no requester', `Set one of the fields ${requesters.join(', ')}`);
      },
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a ticket',
      properties: [ticketId],
      run: (item) => item.perform({ method: 'DELETE', path: path(item) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a ticket',
      properties: [ticketId],
      run: (item) => item.send({ path: path(item) }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists tickets',
      properties: [...listPropertiesOf(), options(filters)],
      run: async (item) =>
        listed(item, '/tickets', await attributesOf(item, 'options', filters, { lists: [], times: ['updated_since'] })),
    },
    update: {
      displayName: 'Update',
      description: 'Changes a ticket',
      properties: [ticketId, collection('updateFields', 'Update Fields', attributes)],
      run: async (item) => item.send({ method: 'PUT', path: path(item), json: await bodyOf(item, 'updateFields') }),
    },
  },
};
