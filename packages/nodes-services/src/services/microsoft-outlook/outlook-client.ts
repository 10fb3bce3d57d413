import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MethodContext,
  type NodeProperty,
  optionalCredentialText,
} from '@sluice/node-sdk';
import { choice, choices, collection, list, text, toggle, where } from '@sluice/nodes-base/node-tools';
import { objectOf } from '../../shared/json-values.ts';
import { choicesFrom } from '../../shared/list-choices.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import { encodedId, graphPages, microsoftGraph, odataText } from '../../shared/microsoft-graph.ts';
import { sendAll } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/**
 * https://learn.microsoft.com/graph/api/resources/mail-api-overview; for the user's own mailbox, or
 * a shared one.
 */
export const outlookClient = microsoftGraph('Microsoft Outlook', 'microsoftOutlookOAuth2Api', (credential) =>
  credential['useShared'] === true
    ? `/users/${encodeURIComponent(optionalCredentialText(credential, 'userPrincipalName'))}`
    : '/me',
);

const inAddress = /(?:ItemID=|\/id\/|\/mail\/\w+\/)([^&?/#]+)/i;

/** ID in a resource locator or text. */
export const idOf = (item: ServiceItem, path: string): string => encodedId(item, path, inAddress);

const located = (name: string, displayName: string, what: string, more: Partial<NodeProperty> = {}): NodeProperty =>
  text(name, displayName, `The ${what}: from the list, by ID, or by URL`, { required: true, ...more });

/**
 * Whether its parameters differ from version 2, and it returns messages as Microsoft Graph does.
 */
export const isFirst = (item: ServiceItem): boolean => item.context.typeVersion < 2;

/** Properties for version 2, and for the versions before it. */
export const byVersion = (later: readonly NodeProperty[], first: readonly NodeProperty[]): NodeProperty[] => [
  ...later.map((property) => ofVersions(property, [2])),
  ...first.map((property) => ofVersions(property, [1, 1.1])),
];

const ofVersions = (property: NodeProperty, versions: readonly number[]): NodeProperty => ({
  ...property,
  ...where({ ...property.displayOptions?.show, '@version': versions }),
});

export const messageId = located('messageId', 'Message', 'message');
export const draftIds = byVersion([located('draftId', 'Draft', 'draft')], [located('messageId', 'Draft', 'draft')]);
export const eventId = located('eventId', 'Event', 'event');
export const folderId = located('folderId', 'Folder', 'folder', { typeOptions: { searchListMethod: 'searchFolders' } });
export const calendarId = located('calendarId', 'Calendar', 'calendar', {
  typeOptions: { searchListMethod: 'searchCalendars' },
});

export const defaultLimit = 100;
export const listProperties = listPropertiesOf(defaultLimit);

/** Reads a list to the end or to the limit, in pages of at most 100. */
export function listed(
  item: ServiceItem,
  path: string,
  query: Record<string, JsonValue | undefined> = {},
): Promise<JsonObject[]> {
  const limit = item.limit(defaultLimit);
  return item.list({ path, query: { ...query, $top: Math.min(limit, 100) } }, graphPages, limit);
}

/** https://learn.microsoft.com/graph/api/resources/message#properties */
const messageFields = [
  'bccRecipients',
  'body',
  'bodyPreview',
  'categories',
  'ccRecipients',
  'changeKey',
  'conversationId',
  'createdDateTime',
  'flag',
  'from',
  'hasAttachments',
  'importance',
  'inferenceClassification',
  'internetMessageId',
  'isDeliveryReceiptRequested',
  'isDraft',
  'isRead',
  'isReadReceiptRequested',
  'lastModifiedDateTime',
  'parentFolderId',
  'receivedDateTime',
  'replyTo',
  'sender',
  'sentDateTime',
  'subject',
  'toRecipients',
  'webLink',
] as const;

/** How messages are returned. */
export const outputProperties: readonly NodeProperty[] = [
  choice('output', 'Output', choices(['simple', 'Simplified'], ['raw', 'Raw'], ['fields', 'Select Included Fields'])),
  {
    displayName: 'Fields',
    name: 'fields',
    type: 'multiOptions',
    default: [],
    options: choices(...messageFields.map((name): [string, string] => [name, name])),
    description: 'Fields to return',
    ...where({ output: ['fields'] }),
  },
];

const simpleFields = 'id,conversationId,subject,bodyPreview,from,toRecipients,categories,hasAttachments';

export const outputOf = (item: ServiceItem): string => (isFirst(item) ? 'raw' : item.text('output', 'simple'));

/** `$select` for the selected output. */
export function selection(output: string, fields: JsonValue | undefined): { $select?: string } {
  if (output === 'raw') return {};
  const chosen = [fields ?? []].flat().filter((name) => typeof name === 'string');
  return { $select: output === 'fields' && chosen.length > 0 ? ['id', ...chosen].join(',') : simpleFields };
}

/** Addresses instead of objects, in the simplified output. */
export function shaped(output: string, message: JsonObject): JsonObject {
  if (output !== 'simple') return message;
  const {
    id = null,
    conversationId = null,
    subject = null,
    bodyPreview = null,
    categories = [],
    hasAttachments = null,
  } = message;
  const to = [message['toRecipients'] ?? []].flat().map(addressIn);
  return { id, conversationId, subject, bodyPreview, from: addressIn(message['from']), to, categories, hasAttachments };
}

function addressIn(recipient: JsonValue | undefined): JsonValue {
  const address = objectOf(recipient)['emailAddress'];
  return isJsonObject(address) ? (address['address'] ?? null) : null;
}

const folders = (name: string, displayName: string, description: string): NodeProperty => ({
  displayName,
  name,
  type: 'multiOptions',
  default: [],
  options: [],
  typeOptions: { loadOptionsMethod: 'getFolders' },
  description,
});

const filterQueryOf = 'Filter in the language of Microsoft Graph, such as `isRead eq false`';

export const filterMembers: readonly NodeProperty[] = [
  text('custom', 'Filter Query', filterQueryOf),
  toggle('hasAttachments', 'Has Attachments', 'Whether messages must have attachments'),
  folders('foldersToExclude', 'Folders to Exclude', 'Folders whose messages are left out'),
  folders('foldersToInclude', 'Folders to Include', 'Folders whose messages are returned'),
  choice('readStatus', 'Read Status', choices(['both', 'Unread and Read'], ['unread', 'Unread'], ['read', 'Read']), {
    default: 'unread',
  }),
  text('receivedAfter', 'Received After', 'Earliest time', { type: 'dateTime' }),
  text('receivedBefore', 'Received Before', 'Latest time', { type: 'dateTime' }),
  text('sender', 'Sender', 'Address or name of the sender'),
];

const filtersProperty: NodeProperty = list(
  'filtersUI',
  'Filters',
  'values',
  [
    choice('filterBy', 'Filter By', choices(['filters', 'Filters'], ['search', 'Search'])),
    text('search', 'Search', 'Words and properties, such as `from:ann@example.com`', where({ filterBy: ['search'] })),
    collection('filters', 'Filters', filterMembers, where({ filterBy: ['filters'] })),
  ],
  { typeOptions: {} },
);

/** Which messages are listed, and how they are returned. */
export const queryProperties = byVersion(
  [...outputProperties, filtersProperty],
  [collection('additionalFields', 'Additional Fields', [text('filter', 'Filter Query', filterQueryOf)])],
);

/** `$filter` or `$search` from the parameters. */
export async function filterQuery(item: ServiceItem): Promise<Record<string, string>> {
  if (isFirst(item)) return { $filter: item.text('additionalFields.filter') };
  const [values = {}] = item.entries('filtersUI.values');
  const search = values['search'];
  if (values['filterBy'] === 'search' && typeof search === 'string' && search !== '')
    return { $search: `"${search.replace(/["\\]/g, ' ')}"` };
  const received = [...(await bound(item, 'ge', 'receivedAfter')), ...(await bound(item, 'le', 'receivedBefore'))];
  const filter = filterOf(objectOf(values['filters']), received);
  return filter === '' ? {} : { $filter: filter };
}

/** An OData filter: https://learn.microsoft.com/graph/filter-query-parameter */
export function filterOf(filters: JsonObject, received: readonly string[] = []): string {
  const { custom, hasAttachments, foldersToExclude, foldersToInclude, readStatus, sender } = filters;
  const names = (value: JsonValue | undefined) =>
    [value ?? []].flat().filter((one) => typeof one === 'string' && one !== '') as string[];
  const included = names(foldersToInclude).map((id) => `parentFolderId eq ${odataText(id)}`);
  const from = typeof sender === 'string' && sender !== '' ? odataText(sender) : undefined;
  return [
    ...(typeof custom === 'string' && custom.trim() !== '' ? [`(${custom})`] : []),
    ...(hasAttachments === true ? ['hasAttachments eq true'] : []),
    ...(included.length > 0 ? [`(${included.join(' or ')})`] : []),
    ...names(foldersToExclude).map((id) => `parentFolderId ne ${odataText(id)}`),
    ...(readStatus === 'read' || readStatus === 'unread' ? [`isRead eq ${readStatus === 'read'}`] : []),
    ...received,
    ...(from === undefined ? [] : [`(from/emailAddress/address eq ${from} or from/emailAddress/name eq ${from})`]),
  ].join(' and ');
}

async function bound(item: ServiceItem, operator: 'ge' | 'le', name: string): Promise<string[]> {
  const at = await item.time(`filtersUI.values.filters.${name}`);
  return at ? [`receivedDateTime ${operator} ${at.toISOString()}`] : [];
}

/** The mailbox's folders, for editors. */
export async function folderChoices(context: MethodContext): Promise<{ name: string; value: string }[]> {
  return choicesFrom(await choicesOf(context, '/mailFolders'), 'displayName');
}

export const choicesOf = (context: MethodContext, path: string): Promise<JsonObject[]> =>
  sendAll(outlookClient, context, { path, query: { $top: 100 } }, graphPages, 1_000);
