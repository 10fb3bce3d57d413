import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/node-sdk';
import { collection, options, type Question, questionHtml, text, toggle } from '@sluice/nodes-base/node-tools';
import { type Produced, type Resource, sendAndWait } from '../../shared/define-service.ts';
import type { FileItem } from '../../shared/file-item.ts';
import { asText } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import {
  byVersion,
  filterQuery,
  folderId,
  idOf,
  listed,
  listProperties,
  messageId,
  outputOf,
  outputProperties,
  queryProperties,
  selection,
  shaped,
} from './outlook-client.ts';
import { withAttachments } from './read-attachments.ts';
import { messageMembers, messageOf, recipientList } from './write-message.ts';

export const readOptions = collection('options', 'Options', [
  text('attachmentsPrefix', 'Attachments Prefix', 'Beginning of the names of the properties with attachments', {
    default: 'attachment_',
  }),
  toggle('downloadAttachments', 'Download Attachments', 'Whether to download the attachments'),
]);
const toRecipients = text('toRecipients', 'To', 'Addresses, separated by commas', { required: true });
const subject = text('subject', 'Subject', 'Subject of the message');
const bodyContent = text('bodyContent', 'Message', 'Text of the message');

export const messagePath = (item: ServiceItem): string => `/messages/${idOf(item, 'messageId')}`;

/** https://learn.microsoft.com/graph/api/resources/message */
export const message: Resource = {
  displayName: 'Message',
  initial: 'send',
  operations: {
    delete: {
      displayName: 'Delete',
      description: 'Deletes a message',
      properties: [messageId],
      run: (item) => item.perform({ method: 'DELETE', path: messagePath(item) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a message',
      properties: [messageId, ...byVersion(outputProperties, []), readOptions],
      async run(item) {
        const query = selection(outputOf(item), item.context.parameter<JsonValue>('fields', item.index));
        const response = await item.send({ path: messagePath(item), query });
        return isJsonObject(response) ? readOne(item, response) : response;
      },
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists messages',
      properties: [...listProperties, ...queryProperties, readOptions],
      run: (item) => readAll(item, '/messages'),
    },
    move: {
      displayName: 'Move',
      description: 'Moves a message to a folder',
      properties: [messageId, { ...folderId, displayName: 'Parent Folder' }],
      run: (item) =>
        item.send({ path: `${messagePath(item)}/move`, json: { destinationId: decodeURIComponent(idOf(item, 'folderId')) } }),
    },
    reply: {
      displayName: 'Reply',
      description: 'Replies to a message',
      properties: [
        messageId,
        toggle('replyToSenderOnly', 'Reply to Sender Only', 'Whether the other recipients get no answer'),
        text('message', 'Message', 'Text of the answer'),
        messageMembers(
          'additionalFields',
          'Additional Fields',
          'attachments',
          'bccRecipients',
          'bodyContentType',
          'ccRecipients',
          'from',
          'importance',
          'internetMessageHeaders',
          'isReadReceiptRequested',
          'replyTo',
          'subject',
          'toRecipients',
        ),
        options([toggle('saveAsDraft', 'Save as Draft', 'Whether to keep the answer as a draft')]),
      ],
      run: reply,
    },
    send: {
      displayName: 'Send',
      description: 'Sends a message',
      properties: [
        toRecipients,
        subject,
        bodyContent,
        messageMembers(
          'additionalFields',
          'Additional Fields',
          'attachments',
          'bccRecipients',
          'bodyContentType',
          'categories',
          'ccRecipients',
          'from',
          'importance',
          'internetMessageHeaders',
          'isReadReceiptRequested',
          'replyTo',
          'saveToSentItems',
        ),
      ],
      async run(item) {
        const fields = item.fields('additionalFields');
        const written = await messageOf(item, { ...fields, ...writtenText(item), toRecipients: item.required('toRecipients') });
        return sendMail(item, written, fields['saveToSentItems'] !== false);
      },
    },
    sendAndWait: sendAndWait([toRecipients, subject], (item, question) => sendMail(item, questionMail(item, question), true)),
    update: {
      displayName: 'Update',
      description: 'Changes a message',
      properties: [
        messageId,
        messageMembers(
          'updateFields',
          'Update Fields',
          'bccRecipients',
          'bodyContent',
          'bodyContentType',
          'categories',
          'ccRecipients',
          'importance',
          'isRead',
          'replyTo',
          'subject',
          'toRecipients',
        ),
      ],
      run: update,
    },
  },
};

export function writtenText(item: ServiceItem): JsonObject {
  return { subject: item.text('subject'), bodyContent: item.text('bodyContent') };
}

/** https://learn.microsoft.com/graph/api/user-sendmail: the response is empty. */
function sendMail(item: ServiceItem, written: JsonObject, saveToSentItems: boolean): Promise<JsonObject> {
  return item.perform({ path: '/sendMail', json: { message: written, saveToSentItems } });
}

function questionMail(item: ServiceItem, question: Question): JsonObject {
  return {
    subject: item.text('subject'),
    body: { contentType: 'html', content: questionHtml(question) },
    toRecipients: recipientList(item.required('toRecipients')),
  };
}

async function update(item: ServiceItem): Promise<JsonValue | undefined> {
  const changes = await messageOf(item, item.fields('updateFields'));
  return item.send({ method: 'PATCH', path: messagePath(item), json: changes });
}

/** The fields are written to a draft reply, which is then sent. */
async function reply(item: ServiceItem): Promise<JsonValue> {
  const action = item.toggle('replyToSenderOnly') ? 'createReply' : 'createReplyAll';
  const draft = await item.send({
    method: 'POST',
    path: `${messagePath(item)}/${action}`,
    json: { comment: item.text('message') },
  });
  const id = isJsonObject(draft) ? asText(draft['id'] ?? '') : '';
  const path = `/messages/${encodeURIComponent(id)}`;
  const { attachments = [], ...changes } = await messageOf(item, withoutFormat(item.fields('additionalFields')));
  const changed = Object.keys(changes).length > 0 ? await item.send({ method: 'PATCH', path, json: changes }) : draft;
  for (const file of [attachments].flat()) await item.send({ path: `${path}/attachments`, json: file });
  if (item.toggle('options.saveAsDraft')) return changed ?? null;
  await item.send({ method: 'POST', path: `${path}/send` });
  return { id, success: true };
}

/** The quoted message determines the format of a reply. */
function withoutFormat({ bodyContentType: _, ...fields }: JsonObject): JsonObject {
  return fields;
}

/** Messages in a folder or in all folders. */
export async function readAll(item: ServiceItem, path: string): Promise<Produced> {
  const query = selection(outputOf(item), item.context.parameter<JsonValue>('fields', item.index));
  const records = await listed(item, path, { ...query, ...(await filterQuery(item)) });
  if (!item.toggle('options.downloadAttachments')) return records.map((one) => shaped(outputOf(item), one));
  const items: FileItem[] = [];
  for (const one of records) items.push(await withAttachments(item, one));
  return items;
}

async function readOne(item: ServiceItem, mail: JsonObject): Promise<Produced> {
  if (item.toggle('options.downloadAttachments')) return withAttachments(item, mail);
  return shaped(outputOf(item), mail);
}
