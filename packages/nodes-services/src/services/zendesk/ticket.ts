import type { JsonObject, JsonValue, NodeProperty } from '@sluice/node-sdk';
import { choice, choices, collection, names, namesParameter, options, text } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { found, id, listed, listProperties, pairs, pathOf, sendFor } from './zendesk-client.ts';

const statuses = choices(
  ['open', 'Open'],
  ['new', 'New'],
  ['pending', 'Pending'],
  ['hold', 'On Hold'],
  ['solved', 'Solved'],
  ['closed', 'Closed'],
);
const written: readonly NodeProperty[] = [
  text('assigneeEmail', 'Assignee Email', 'Email address of the agent'),
  pairs('customFieldsUi', 'Custom Fields', 'customFieldsValues', 'id'),
  text('externalId', 'External ID', 'ID of the ticket elsewhere'),
  text('group', 'Group', 'ID of the group'),
  text('recipient', 'Recipient', 'Address that the ticket was sent to'),
  choice('status', 'Status', statuses),
  text('subject', 'Subject', 'Subject of the ticket'),
  names('tags', 'Tags', 'Tags of the ticket'),
  choice('type', 'Type', choices(['question', 'Question'], ['incident', 'Incident'], ['problem', 'Problem'], ['task', 'Task'])),
];
const ticketId = id('Ticket');

/** https://developer.zendesk.com/api-reference/ticketing/tickets/tickets/ */
export const ticket: Resource = {
  displayName: 'Ticket',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a ticket',
      properties: [
        text('description', 'Description', 'First comment of the ticket', { required: true }),
        collection('additionalFields', 'Additional Fields', written),
      ],
      run: (item) => {
        const ticket = { comment: { body: item.required('description') }, ...fieldsOf(item, 'additionalFields') };
        return sendFor(item, { path: '/tickets', json: { ticket } }, 'ticket');
      },
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a ticket',
      properties: [ticketId],
      run: (item) => item.perform({ method: 'DELETE', path: pathOf(item, 'tickets') }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a ticket',
      properties: [ticketId],
      run: (item) => sendFor(item, { path: pathOf(item, 'tickets') }, 'ticket'),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Finds tickets, or lists all; Zendesk sorts at most 1,000',
      properties: [
        ...listProperties,
        options([
          text('group', 'Group', 'ID of the group'),
          text('query', 'Query', 'Conditions of the search, such as `status<solved priority:high`'),
          choice(
            'sortBy',
            'Sort By',
            choices(
              ['updated_at', 'Updated At'],
              ['created_at', 'Created At'],
              ['priority', 'Priority'],
              ['status', 'Status'],
              ['ticket_type', 'Ticket Type'],
            ),
          ),
          choice('sortOrder', 'Sort Order', choices(['asc', 'Ascending'], ['desc', 'Descending'])),
          choice('status', 'Status', statuses),
        ]),
      ],
      run: search,
    },
    update: {
      displayName: 'Update',
      description: 'Changes a ticket',
      properties: [
        ticketId,
        collection('updateFields', 'Update Fields', [
          ...written,
          text('internalNote', 'Internal Note', 'Comment that only agents see, as HTML'),
          text('publicReply', 'Public Reply', 'Comment that the requester sees'),
        ]),
      ],
      run: (item) => {
        const json = { ticket: { ...fieldsOf(item, 'updateFields'), ...commentOf(item) } };
        return sendFor(item, { method: 'PUT', path: pathOf(item, 'tickets'), json }, 'ticket');
      },
    },
  },
};

/** Matches every ticket. An export requires a condition. */
const always = 'created>=1970-01-01';

/**
 * A search fails after 1,000 results. An export does not, but it is unordered and rejects a type in
 * the query:
 * https://developer.zendesk.com/api-reference/ticketing/ticket-management/search/#export-search-results
 */
function search(item: ServiceItem): Promise<JsonObject[]> {
  const { group, query, sortBy, sortOrder, status } = item.fields('options');
  const conditions = [query, status && `status:${status}`, group && `group:${group}`].filter(Boolean).join(' ');
  const isSorted = sortBy !== undefined || sortOrder !== undefined;
  if (item.toggle('returnAll') && !isSorted && !/(?:^|\s)-?type[:<>]/i.test(conditions)) {
    const exported = { query: conditions || always, 'filter[type]': 'ticket' };
    return listed(item, { path: '/search/export', query: exported }, 'results');
  }
  const sorted = { query: `type:ticket ${conditions}`.trim(), sort_by: sortBy, sort_order: sortOrder };
  return found(item, { path: '/search', query: sorted }, 'results');
}

function fieldsOf(item: ServiceItem, path: string): JsonObject {
  const { assigneeEmail, externalId, group, recipient, status, subject, type } = item.fields(path);
  const tags = namesParameter(item.context, `${path}.tags`, item.index);
  const custom = item
    .entries(`${path}.customFieldsUi.customFieldsValues`)
    .map(({ id: field = '', value = null }) => ({ id: Number(field), value }));
  const members = { assignee_email: assigneeEmail, external_id: externalId, group_id: group, recipient, status, subject, type };
  return {
    ...Object.fromEntries(Object.entries(members).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined)),
    ...(tags.length > 0 && { tags }),
    ...(custom.length > 0 && { custom_fields: custom }),
  };
}

/** A change has at most one comment. */
function commentOf(item: ServiceItem): JsonObject {
  const { internalNote, publicReply } = item.fields('updateFields');
  if (internalNote !== undefined && publicReply !== undefined)
    throw item.error('a change has at most one comment', 'Set the internal note or the public reply, not both');
  if (internalNote !== undefined) return { comment: { html_body: internalNote, public: false } };
  return publicReply === undefined ? {} : { comment: { body: publicReply, public: true } };
}
