import { type JsonObject, type JsonValue, NodeOperationError, type NodeProperty } from '@sluice/node-sdk';
import { choice, choices, collection, list, text, toggle } from '@sluice/nodes-base/node-tools';
import { asText, objectOf, objectsOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

const recipients = (name: string, displayName: string) => text(name, displayName, 'Addresses, separated by commas');
const attachments = list('attachments', 'Attachments', 'attachments', [
  text('binaryPropertyName', 'Input Data Field Name', 'Property of the item that has the file', { default: 'data' }),
]);
const categories: NodeProperty = {
  displayName: 'Category Names or IDs',
  name: 'categories',
  type: 'multiOptions',
  default: [],
  options: [],
  typeOptions: { loadOptionsMethod: 'getCategories' },
  description: 'Names of categories',
};

const members = {
  attachments,
  bccRecipients: recipients('bccRecipients', 'BCC Recipients'),
  bodyContent: text('bodyContent', 'Message', 'Text of the message'),
  bodyContentType: choice('bodyContentType', 'Message Type', choices(['html', 'HTML'], ['Text', 'Text'])),
  categories,
  ccRecipients: recipients('ccRecipients', 'CC Recipients'),
  from: text('from', 'From', 'Address of the sender, if it is not that of the account'),
  importance: choice('importance', 'Importance', choices(['Low', 'Low'], ['Normal', 'Normal'], ['High', 'High']), {
    default: 'Low',
  }),
  internetMessageHeaders: list('internetMessageHeaders', 'Custom Headers', 'headers', [
    text('name', 'Name', 'Name of the header, which begins with `x-`'),
    text('value', 'Value', 'Value of the header'),
  ]),
  isRead: toggle('isRead', 'Is Read', 'Whether the message is read'),
  isReadReceiptRequested: toggle('isReadReceiptRequested', 'Read Receipt Requested', 'Whether to ask for a read receipt'),
  replyTo: recipients('replyTo', 'Reply To'),
  saveToSentItems: toggle('saveToSentItems', 'Save to Sent Items', 'Whether to keep a copy of the message', { default: true }),
  subject: text('subject', 'Subject', 'Subject of the message'),
  toRecipients: recipients('toRecipients', 'To'),
};

/** A collection with some of the optional members of a message. */
export const messageMembers = (name: string, displayName: string, ...names: (keyof typeof members)[]): NodeProperty =>
  collection(
    name,
    displayName,
    names.map((member) => members[member]),
  );

const lists = ['bccRecipients', 'ccRecipients', 'replyTo', 'toRecipients'] as const;

/**
 * A message of https://learn.microsoft.com/graph/api/resources/message from members of a
 * collection.
 */
export async function messageOf(item: ServiceItem, fields: JsonObject): Promise<JsonObject> {
  const {
    attachments: files,
    bodyContent,
    bodyContentType,
    categories: names,
    from,
    internetMessageHeaders,
    saveToSentItems: _,
    ...rest
  } = fields;
  const message: JsonObject = { ...rest };
  for (const name of lists) if (name in message) message[name] = recipientList(message[name]);
  const headers = inGroup(internetMessageHeaders, 'headers');
  const attached = await attachmentsOf(item, inGroup(files, 'attachments'));
  return {
    ...message,
    ...(bodyContent !== undefined && { body: { contentType: bodyContentType ?? 'html', content: bodyContent } }),
    ...(names !== undefined && { categories: typeof names === 'string' ? names.split(',').map((one) => one.trim()) : names }),
    ...(from !== undefined && { from: { emailAddress: { address: from } } }),
    ...(headers.length > 0 && { internetMessageHeaders: headers }),
    ...(attached.length > 0 && { attachments: attached }),
  };
}

/** A message has at most 500 recipients. */
const maxAddresses = 50_000;

export function recipientList(addresses: JsonValue | undefined): JsonObject[] {
  if (typeof addresses === 'string' && addresses.length > maxAddresses)
    throw new NodeOperationError('the message has more than 500 recipients', { description: 'Send several messages' });
  const all = (Array.isArray(addresses) ? addresses : asText(addresses ?? '').split(',')).map((one) => asText(one).trim());
  return all.filter((one) => one !== '').map((address) => ({ emailAddress: { address } }));
}

function inGroup(value: JsonValue | undefined, group: string): JsonObject[] {
  return objectsOf(objectOf(value)[group]);
}

/** Maximum number of file bytes in a message that is sent in one request. */
const maxBytes = 3_000_000;

async function attachmentsOf(item: ServiceItem, entries: readonly JsonObject[]): Promise<JsonObject[]> {
  const fileAttachments: JsonObject[] = [];
  let total = 0;
  for (const { binaryPropertyName = 'data' } of entries) {
    const file = item.file(asText(binaryPropertyName));
    total += file.fileSize ?? 0;
    const bytes = total > maxBytes ? undefined : await item.context.binary.read(file, maxBytes);
    if (!bytes)
      throw item.error('the attachments are larger than 3 MB', 'Upload the files to OneDrive, and send links to them');
    fileAttachments.push({
      '@odata.type': '#microsoft.graph.fileAttachment',
      name: file.fileName ?? asText(binaryPropertyName),
      contentType: file.mimeType,
      contentBytes: Buffer.from(bytes).toString('base64'),
    });
  }
  return fileAttachments;
}
