import { addressList, collection, composeMail, namesParameter, questionHtml, text } from '@sluice/nodes-base/node-tools';
import { type Operation, type Resource, sendAndWait } from '../../shared/define-service.ts';
import { asText } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { idPath, listed, modify } from './gmail-client.ts';
import {
  body,
  filters,
  labelIds,
  listProperties,
  messageId,
  readOptions,
  replyOptions,
  sendOptions,
  simple,
  subject,
} from './gmail-properties.ts';
import { readMessages } from './read-message.ts';
import { reply } from './reply.ts';
import { searchQuery } from './search-query.ts';
import { messageOf, senderOf, upload } from './write-message.ts';

const pathOf = (item: ServiceItem): string => idPath('messages', item.required('messageId'));
export const labelsOf = (item: ServiceItem): string[] => namesParameter(item.context, 'labelIds', item.index);

const labeling = (displayName: string, description: string, add: readonly string[], remove: readonly string[]): Operation => ({
  displayName,
  description,
  properties: [messageId],
  run: (item) => modify(item, pathOf(item), add, remove),
});

const sendTo = text('sendTo', 'To', 'Addresses, separated by commas', { required: true });

export const message: Resource = {
  displayName: 'Message',
  initial: 'send',
  operations: {
    addLabels: {
      displayName: 'Add Label',
      description: 'Adds labels to a message',
      properties: [messageId, labelIds],
      run: (item) => modify(item, pathOf(item), labelsOf(item)),
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a message permanently',
      properties: [messageId],
      run: (item) => item.perform({ method: 'DELETE', path: pathOf(item) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a message',
      properties: [messageId, simple, readOptions],
      run: (item) => readMessages(item, [item.required('messageId')], item.toggle('simple', true)),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Finds messages, newest first',
      properties: [...listProperties, simple, filters, readOptions],
      async run(item) {
        const records = await listed(item, 'messages', await searchQuery(item));
        return readMessages(
          item,
          records.map(({ id = '' }) => asText(id)),
          item.toggle('simple', true),
        );
      },
    },
    markAsRead: labeling('Mark as Read', 'Marks a message as read', [], ['UNREAD']),
    markAsUnread: labeling('Mark as Unread', 'Marks a message as unread', ['UNREAD'], []),
    removeLabels: {
      displayName: 'Remove Label',
      description: 'Removes labels from a message',
      properties: [messageId, labelIds],
      run: (item) => modify(item, pathOf(item), [], labelsOf(item)),
    },
    reply: {
      displayName: 'Reply',
      description: 'Replies to a message in its thread',
      properties: [messageId, ...body('html'), collection('options', 'Options', replyOptions)],
      run: (item) => reply(item, item.required('messageId')),
    },
    sendAndWait: sendAndWait([sendTo, subject], async (item, question) => {
      const to = addressList('sendTo', item.required('sendTo'), item.index);
      const title = item.text('subject').replace(/[\r\n]+/g, ' ');
      return upload(item, '/messages/send', {}, await composeMail({ to, subject: title, html: questionHtml(question) }));
    }),
    send: {
      displayName: 'Send',
      description: 'Sends a message',
      properties: [sendTo, subject, ...body('html'), collection('options', 'Options', sendOptions)],
      async run(item) {
        const to = addressList('sendTo', item.required('sendTo'), item.index);
        const addressing = { to, subject: item.text('subject'), ...(await senderOf(item)) };
        return upload(item, '/messages/send', {}, await messageOf(item, addressing));
      },
    },
  },
};
