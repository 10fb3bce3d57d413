import type { JsonObject, NodeProperty } from '@sluice/node-sdk';
import { choice, choices, collection, names, options, text } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { asText } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { customFields, type Field, integer, listed, membersOf, numberOf, pathOf } from './freshdesk-client.ts';

const statuses = new Map([
  ['open', 2],
  ['pending', 3],
  ['resolved', 4],
  ['closed', 5],
]);
const priorities = new Map([
  ['low', 1],
  ['medium', 2],
  ['high', 3],
  ['urgent', 4],
]);
const sources = new Map([
  ['email', 1],
  ['portal', 2],
  ['phone', 3],
  ['chat', 7],
  ['feedbackWidget', 9],
  ['outboundEmail', 10],
]);
/** Members of a ticket by the kind of requester. */
const requesters = new Map([
  ['requesterId', 'requester_id'],
  ['email', 'email'],
  ['phone', 'phone'],
  ['facebookId', 'facebook_id'],
  ['twitterId', 'twitter_id'],
  ['uniqueExternalId', 'unique_external_id'],
]);

const requester = choice(
  'requester',
  'Requester Identification',
  choices(
    ['requesterId', 'Requester ID'],
    ['email', 'Email'],
    ['phone', 'Phone'],
    ['facebookId', 'Facebook ID'],
    ['twitterId', 'Twitter ID'],
    ['uniqueExternalId', 'Unique External ID'],
  ),
);
const requesterValue = (required: boolean) =>
  text('requesterIdentificationValue', 'Value', 'ID, address, or number of the requester', { required });
const named = (numbers: ReadonlyMap<string, number>): string => [...numbers.keys()].map((name) => `\`${name}\``).join(', ');
const status = (fallback = '') =>
  text('status', 'Status', `Status: ${named(statuses)}, or the number of another status`, { default: fallback });
const priority = (fallback = '') =>
  text('priority', 'Priority', `Priority: ${named(priorities)}, or its number`, { default: fallback });
const source = (fallback = '') =>
  text('source', 'Source', `Channel of the ticket: ${named(sources)}, or its number`, { default: fallback });

const written: readonly NodeProperty[] = [
  text('agent', 'Agent', 'ID of the agent'),
  text('company', 'Company', 'ID of the company'),
  names('ccEmails', 'CC Emails', 'Email addresses that receive a copy'),
  customFields,
  text('description', 'Description', 'Text of the ticket, as HTML'),
  text('dueBy', 'Due By', 'Time at which the ticket is to be resolved'),
  text('emailConfigId', 'Email Config', 'ID of the email address that the ticket uses'),
  text('frDueBy', 'First Response Due By', 'Time at which the first response is due'),
  text('group', 'Group', 'ID of the group'),
  text('name', 'Name', 'Name of the requester'),
  text('product', 'Product', 'ID of the product'),
  text('subject', 'Subject', 'Subject of the ticket'),
  names('tags', 'Tags', 'Tags of the ticket'),
  text('type', 'Type', 'Type of the ticket, such as `Question`'),
];
const fields: Readonly<Record<string, Field>> = {
  agent: { member: 'responder_id', is: 'integer' },
  company: { member: 'company_id', is: 'integer' },
  ccEmails: { member: 'cc_emails', is: 'names' },
  customFields: { member: 'custom_fields', is: 'custom' },
  description: { member: 'description' },
  dueBy: { member: 'due_by', is: 'time' },
  emailConfigId: { member: 'email_config_id', is: 'integer' },
  frDueBy: { member: 'fr_due_by', is: 'time' },
  group: { member: 'group_id', is: 'integer' },
  name: { member: 'name' },
  priority: { member: 'priority', is: priorities },
  product: { member: 'product_id', is: 'integer' },
  source: { member: 'source', is: sources },
  status: { member: 'status', is: statuses },
  subject: { member: 'subject' },
  tags: { member: 'tags', is: 'names' },
  type: { member: 'type' },
};
const filters: Readonly<Record<string, Field>> = {
  companyId: { member: 'company_id', is: 'integer' },
  filter: { member: 'filter' },
  include: { member: 'include', is: 'names' },
  order: { member: 'order_type' },
  orderBy: { member: 'order_by' },
  requesterEmail: { member: 'email' },
  requesterId: { member: 'requester_id', is: 'integer' },
  updatedSince: { member: 'updated_since', is: 'time' },
};
const ticketId = text('ticketId', 'Ticket ID', 'ID of the ticket', { required: true });
const pathOfTicket = (item: ServiceItem) => pathOf(item, 'tickets', 'ticketId');

/** https://developers.freshdesk.com/api/#tickets */
export const ticket: Resource = {
  displayName: 'Ticket',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a ticket',
      properties: [
        requester,
        requesterValue(true),
        status('pending'),
        priority('low'),
        source('portal'),
        collection('options', 'Options', written),
      ],
      async run(item) {
        const json: JsonObject = {
          ...requesterOf(item, item.text('requester', 'requesterId'), item.required('requesterIdentificationValue').trim()),
          status: numberOf(item, 'status', item.text('status', 'pending') || 'pending', statuses),
          priority: numberOf(item, 'priority', item.text('priority', 'low') || 'low', priorities),
          source: numberOf(item, 'source', item.text('source', 'portal') || 'portal', sources),
          ...(await membersOf(item, 'options', fields)),
        };
        return item.send({ path: '/tickets', json });
      },
    },
    delete: {
      displayName: 'Delete',
      description: 'Moves a ticket to the trash',
      properties: [ticketId],
      run: (item) => item.perform({ method: 'DELETE', path: pathOfTicket(item) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a ticket',
      properties: [ticketId],
      run: (item) => item.send({ path: pathOfTicket(item) }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists tickets; without "Updated Since", those of the last 30 days',
      properties: [
        ...listPropertiesOf(),
        options([
          text('companyId', 'Company ID', 'ID of the company'),
          choice(
            'filter',
            'Filter',
            choices(['new_and_my_open', 'New and My Open'], ['watching', 'Watching'], ['spam', 'Spam'], ['deleted', 'Deleted']),
          ),
          names('include', 'Include', 'Further data of each ticket: `requester`, `stats`, `description`'),
          choice('order', 'Order', choices(['desc', 'Descending'], ['asc', 'Ascending'])),
          choice(
            'orderBy',
            'Order By',
            choices(['createdAt', 'Created At'], ['dueBy', 'Due By'], ['updatedAt', 'Updated At'], ['status', 'Status']),
          ),
          text('requesterEmail', 'Requester Email', 'Email address of the requester'),
          text('requesterId', 'Requester ID', 'ID of the requester'),
          text('updatedSince', 'Updated Since', 'Time since which the tickets were changed'),
        ]),
      ],
      async run(item) {
        const { include, order_by: orderBy, ...query } = await membersOf(item, 'options', filters);
        const sorted = orderBy === undefined ? {} : { order_by: snakeCase(asText(orderBy)) };
        const included = Array.isArray(include) ? { include: include.join() } : {};
        return listed(item, '/tickets', { ...query, ...sorted, ...included });
      },
    },
    update: {
      displayName: 'Update',
      description: 'Changes a ticket; tags and custom fields that are set replace those that it has',
      properties: [
        ticketId,
        collection('updateFields', 'Update Fields', [
          ...written,
          priority(),
          requester,
          requesterValue(false),
          source(),
          status(),
        ]),
      ],
      async run(item) {
        const { requester: kind, requesterIdentificationValue: value } = item.fields('updateFields');
        const own = value === undefined ? {} : requesterOf(item, asText(kind ?? 'requesterId'), asText(value).trim());
        const json = { ...own, ...(await membersOf(item, 'updateFields', fields)) };
        return item.send({ method: 'PUT', path: pathOfTicket(item), json });
      },
    },
  },
};

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function requesterOf(item: ServiceItem, kind: string, value: string): JsonObject {
  const member = requesters.get(kind);
  if (member === undefined) throw item.error(`there is no requester by "${kind}"`, 'Check the parameter "Requester"');
  return { [member]: kind === 'requesterId' ? integer(item, 'requesterIdentificationValue', value) : value };
}
