import type { JsonValue, NodeProperty } from '@sluice/node-sdk';
import { choice, choices, collection, list, names, namesParameter, text, toggle, where } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { FileItem } from '../../shared/file-item.ts';
import { asText, objectOf } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { idPath, listed, modify } from './gmail-client.ts';
import { labelIds, messageId, subject, threadId } from './gmail-properties.ts';
import { label } from './label.ts';
import { labelsOf } from './message.ts';
import { type MailReading, parsedMessage, readEach, replyHeaders } from './read-message.ts';
import { replySubject, threadHeaders } from './reply.ts';
import { addressesIn, messageOf, senderOf, upload } from './write-message.ts';

export const firstVersions = [1] as const;

const defaultLimit = 10;
const listProperties = listPropertiesOf(defaultLimit);

const addresses = (name: string, displayName: string): NodeProperty =>
  names(name, displayName, 'A list of addresses', { typeOptions: { multipleValues: true } });

const content: readonly NodeProperty[] = [
  subject,
  toggle('includeHtml', 'Include HTML', 'Whether to send HTML alongside the text'),
  text('htmlMessage', 'HTML Message', 'The message as HTML', { required: true, ...where({ includeHtml: [true] }) }),
  text('message', 'Message', 'The message as text', { required: true }),
];
const toList = addresses('toList', 'To Email');
const writeFields: readonly NodeProperty[] = [
  list('attachmentsUi', 'Attachments', 'attachmentsBinary', [
    names('property', 'Attachment Field Name', 'Names of files of the item, separated by commas', { default: 'data' }),
  ]),
  addresses('bccList', 'BCC Email'),
  addresses('ccList', 'CC Email'),
  text('replyTo', 'Send Replies To', 'Address for replies'),
  text('senderName', 'Sender Name', 'Name shown with the address of the account'),
];
const fieldsOf = (...members: NodeProperty[]) => collection('additionalFields', 'Additional Fields', members);

const prefix = text('dataPropertyAttachmentsPrefixName', 'Attachment Prefix', 'Prefix of the names of files in the item', {
  default: 'attachment_',
});
const includeSpamTrash = toggle('includeSpamTrash', 'Include Spam and Trash', 'Whether to return what is in spam and trash');
const formats: readonly [value: string, name: string, description: string][] = [
  ['full', 'Full', 'With the body in parts'],
  ['metadata', 'Metadata', 'ID, labels, and headers'],
  ['minimal', 'Minimal', 'ID and labels'],
  ['raw', 'RAW', 'The message as base64url'],
  ['resolved', 'Resolved', 'The parsed message, with its attachments as files'],
];
const formatOf = (...more: typeof formats) =>
  choice('format', 'Format', choices(...more, ...formats), { default: 'resolved', description: 'What is returned' });
const format = formatOf();
const listFormat = formatOf(['ids', 'IDs', 'IDs only']);

const reading = (item: ServiceItem): MailReading => ({
  format: 'resolved',
  withAttachments: true,
  prefix: item.text('additionalFields.dataPropertyAttachmentsPrefixName', 'attachment_'),
});

/** The format that the author selected; Gmail itself has no `resolved`. */
const formatIn = (item: ServiceItem): string => item.text('additionalFields.format', 'resolved');

async function readMessage(item: ServiceItem, id: string): Promise<FileItem> {
  const chosenFormat = formatIn(item);
  const query = { format: chosenFormat === 'resolved' ? 'raw' : chosenFormat };
  const response = objectOf(await item.send({ path: idPath('messages', id), query }));
  return chosenFormat === 'resolved' ? parsedMessage(item, response, reading(item)) : new FileItem(response, {});
}

/** `id` is the draft ID, `messageId` its message's ID. */
async function readDraft(item: ServiceItem, id: string): Promise<FileItem> {
  const chosenFormat = formatIn(item);
  const query = { format: chosenFormat === 'resolved' ? 'raw' : chosenFormat };
  const response = objectOf(await item.send({ path: idPath('drafts', id), query }));
  if (chosenFormat !== 'resolved') return new FileItem(response, {});
  const { json, binary } = await parsedMessage(item, objectOf(response['message']), reading(item));
  return new FileItem({ ...json, id, messageId: json['id'] ?? null }, binary);
}

/** Elements of a list, read one by one unless only their IDs are wanted. */
async function readList(
  item: ServiceItem,
  kind: 'drafts' | 'messages',
  query: Record<string, JsonValue | undefined>,
  read: (item: ServiceItem, id: string) => Promise<FileItem>,
): Promise<FileItem[]> {
  const isTrashToo = item.toggle('additionalFields.includeSpamTrash') ? 'true' : undefined;
  const records = await listed(item, kind, { ...query, includeSpamTrash: isTrashToo }, item.limit(defaultLimit));
  if (formatIn(item) === 'ids') return records.map((one) => new FileItem(one, {}));
  return readEach(
    records.map(({ id = '' }) => asText(id)),
    (id) => read(item, id),
  );
}

/** Sends to the author's recipients, or to the message's sender. */
async function reply(item: ServiceItem): Promise<JsonValue | undefined> {
  const records = await replyHeaders(item, item.required('messageId'));
  const { header } = records;
  const to = addressesIn(item, 'toList') || header('reply-to') || header('from');
  const addressing = { to, subject: item.text('subject') || replySubject(header), ...threadHeaders(header) };
  const message = await messageOf(item, { ...addressing, ...(await senderOf(item)) });
  return upload(item, '/messages/send', { threadId: item.optional('threadId') ?? records.threadId }, message);
}

const message: Resource = {
  displayName: 'Message',
  initial: 'send',
  operations: {
    delete: {
      displayName: 'Delete',
      description: 'Deletes a message permanently',
      properties: [messageId],
      run: (item) => item.perform({ method: 'DELETE', path: idPath('messages', item.required('messageId')) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a message',
      properties: [messageId, fieldsOf(prefix, format)],
      run: (item) => readMessage(item, item.required('messageId')),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Finds messages, newest first',
      properties: [
        ...listProperties,
        fieldsOf(
          prefix,
          listFormat,
          includeSpamTrash,
          names(
            'labelIds',
            'Label Names or IDs',
            'Only messages with all of these labels',
            labelIds.typeOptions && {
              typeOptions: labelIds.typeOptions,
            },
          ),
          text('q', 'Query', 'As in the search box of Gmail'),
        ),
      ],
      run: (item) => {
        const query = {
          q: item.text('additionalFields.q'),
          labelIds: namesParameter(item.context, 'additionalFields.labelIds', item.index),
        };
        return readList(item, 'messages', query, readMessage);
      },
    },
    reply: {
      displayName: 'Reply',
      description: 'Replies to a message in its thread',
      properties: [threadId, messageId, ...content, toList, fieldsOf(...writeFields)],
      run: reply,
    },
    send: {
      displayName: 'Send',
      description: 'Sends a message',
      properties: [...content, toList, fieldsOf(...writeFields)],
      async run(item) {
        const to = addressesIn(item, 'toList');
        if (to === '') throw item.error('the message has no recipient', 'Add an address to "To Email"');
        const message = await messageOf(item, { to, subject: item.text('subject'), ...(await senderOf(item)) });
        return upload(item, '/messages/send', {}, message);
      },
    },
  },
};

const draftId = { ...messageId, displayName: 'Draft ID', description: 'ID of the draft' };

const draft: Resource = {
  displayName: 'Draft',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a draft',
      properties: [...content, fieldsOf(toList, ...writeFields)],
      async run(item) {
        const addressing = { to: addressesIn(item, 'additionalFields.toList'), subject: item.text('subject') };
        return upload(item, '/drafts', {}, await messageOf(item, { ...addressing, ...(await senderOf(item)) }));
      },
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a draft',
      properties: [draftId],
      run: (item) => item.perform({ method: 'DELETE', path: idPath('drafts', item.required('messageId')) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a draft',
      properties: [draftId, fieldsOf(prefix, format)],
      run: (item) => readDraft(item, item.required('messageId')),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the drafts',
      properties: [...listProperties, fieldsOf(prefix, listFormat, includeSpamTrash)],
      run: (item) => readList(item, 'drafts', {}, readDraft),
    },
  },
};

const messageLabel: Resource = {
  displayName: 'Message Label',
  operations: {
    add: {
      displayName: 'Add',
      description: 'Adds labels to a message',
      properties: [messageId, labelIds],
      run: (item) => modify(item, idPath('messages', item.required('messageId')), labelsOf(item)),
    },
    remove: {
      displayName: 'Remove',
      description: 'Removes labels from a message',
      properties: [messageId, labelIds],
      run: (item) => modify(item, idPath('messages', item.required('messageId')), [], labelsOf(item)),
    },
  },
};

/** Labels as in later versions, whose options are parameters here. */
const firstLabel: Resource = {
  displayName: 'Label',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a label',
      properties: [
        text('name', 'Name', 'Name of the label; `/` nests labels', { required: true }),
        choice(
          'labelListVisibility',
          'Label List Visibility',
          choices(['labelShow', 'Show'], ['labelHide', 'Hide'], ['labelShowIfUnread', 'Show if Unread']),
        ),
        choice('messageListVisibility', 'Message List Visibility', choices(['show', 'Show'], ['hide', 'Hide'])),
      ],
      run: (item) => {
        const visibility = {
          labelListVisibility: item.text('labelListVisibility', 'labelShow'),
          messageListVisibility: item.text('messageListVisibility', 'show'),
        };
        return item.send({ path: '/labels', json: { name: item.required('name'), ...visibility } });
      },
    },
    ...laterOperations('delete', 'get', 'getAll'),
  },
};

function laterOperations(...names: readonly string[]): Resource['operations'] {
  return Object.fromEntries(Object.entries(label.operations).filter(([name]) => names.includes(name)));
}

/** Resources of the first version. */
export const firstResources = { draft, label: firstLabel, message, messageLabel };
