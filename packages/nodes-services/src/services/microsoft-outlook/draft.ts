import { collection, text } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { writtenText } from './message.ts';
import { byVersion, draftIds, idOf, isFirst } from './outlook-client.ts';
import { messageMembers, messageOf, recipientList } from './write-message.ts';

const draftPath = (item: ServiceItem) => `/messages/${idOf(item, isFirst(item) ? 'messageId' : 'draftId')}`;
const to = text('to', 'To', 'Addresses, separated by commas, if the draft has none');
const common = [
  'bccRecipients',
  'bodyContentType',
  'categories',
  'ccRecipients',
  'from',
  'importance',
  'isReadReceiptRequested',
  'replyTo',
  'toRecipients',
] as const;

export const draft: Resource = {
  displayName: 'Draft',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a draft',
      properties: [
        text('subject', 'Subject', 'Subject of the message'),
        text('bodyContent', 'Message', 'Text of the message'),
        messageMembers('additionalFields', 'Additional Fields', ...common, 'attachments', 'internetMessageHeaders'),
      ],
      run: async (item) =>
        item.send({
          path: '/messages',
          json: await messageOf(item, { ...item.fields('additionalFields'), ...writtenText(item) }),
        }),
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a draft',
      properties: draftIds,
      run: (item) => item.perform({ method: 'DELETE', path: draftPath(item) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a draft',
      properties: draftIds,
      run: (item) => item.send({ path: draftPath(item) }),
    },
    send: {
      displayName: 'Send',
      description: 'Sends a draft',
      properties: [
        ...draftIds,
        ...byVersion([to], [collection('additionalFields', 'Additional Fields', [{ ...to, name: 'recipients' }])]),
      ],
      async run(item) {
        const recipients = recipientList(item.text(isFirst(item) ? 'additionalFields.recipients' : 'to'));
        if (recipients.length > 0)
          await item.send({ method: 'PATCH', path: draftPath(item), json: { toRecipients: recipients } });
        return item.perform({ method: 'POST', path: `${draftPath(item)}/send` });
      },
    },
    update: {
      displayName: 'Update',
      description: 'Changes a draft',
      properties: [...draftIds, messageMembers('updateFields', 'Update Fields', ...common, 'bodyContent', 'isRead', 'subject')],
      run: async (item) =>
        item.send({ method: 'PATCH', path: draftPath(item), json: await messageOf(item, item.fields('updateFields')) }),
    },
  },
};
