import type { JsonObject } from '@sluice/node-sdk';
import { addressList, collection, toggle } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { FileItem } from '../../shared/file-item.ts';
import { asText, objectOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { idPath, listed } from './gmail-client.ts';
import { body, draftOptions, listProperties, messageId, readOptions, readProperties, subject } from './gmail-properties.ts';
import { parsedMessage, replyHeaders } from './read-message.ts';
import { threadHeaders } from './reply.ts';
import { messageOf, senderOf, upload } from './write-message.ts';

const listOptions = collection('options', 'Options', [
  ...readProperties,
  toggle('includeSpamTrash', 'Include Spam and Trash', 'Whether to return drafts in spam and trash'),
]);
const draftId = { ...messageId, displayName: 'Draft ID', description: 'ID of the draft' };

export const draft: Resource = {
  displayName: 'Draft',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a draft',
      properties: [subject, ...body('text'), collection('options', 'Options', draftOptions)],
      async run(item) {
        const to = addressList('options.sendTo', item.text('options.sendTo'), item.index);
        const addressing = { to, subject: item.text('subject'), ...(await senderOf(item, item.text('options.fromAlias'))) };
        const thread = await threadOf(item);
        const message = await messageOf(item, { ...addressing, ...thread.headers }, 'text');
        return upload(item, '/drafts', thread.metadata, message);
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
      properties: [draftId, readOptions],
      run: (item) => readDraft(item, item.required('messageId')),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the drafts',
      properties: [...listProperties, listOptions],
      async run(item) {
        const drafts: FileItem[] = [];
        const query = { includeSpamTrash: item.toggle('options.includeSpamTrash') ? 'true' : undefined };
        for (const { id = '' } of await listed(item, 'drafts', query)) drafts.push(await readDraft(item, asText(id)));
        return drafts;
      },
    },
  },
};

/** `id` is the draft ID, `messageId` its message's ID. */
async function readDraft(item: ServiceItem, id: string): Promise<FileItem> {
  const response = objectOf(await item.send({ path: idPath('drafts', id), query: { format: 'raw' } }));
  const { json, binary } = await parsedMessage(item, objectOf(response['message']));
  return new FileItem({ ...json, id, messageId: json['id'] ?? null }, binary);
}

/** A draft in a thread answers its last message. */
async function threadOf(
  item: ServiceItem,
): Promise<{ metadata: JsonObject; headers: { inReplyTo?: string; references?: string } }> {
  const threadId = item.text('options.threadId');
  if (threadId === '') return { metadata: {}, headers: {} };
  const thread = objectOf(await item.send({ path: idPath('threads', threadId), query: { format: 'minimal' } }));
  const last = objectOf([thread['messages'] ?? []].flat().at(-1));
  const { header } = await replyHeaders(item, asText(last['id'] ?? threadId));
  return { metadata: { message: { threadId } }, headers: threadHeaders(header) };
}
