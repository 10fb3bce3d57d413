import { collection, options, text } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { asText, objectOf, objectsOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { messagePath } from './message.ts';
import { byVersion, isFirst, listed, listProperties, messageId } from './outlook-client.ts';
import { messageOf } from './write-message.ts';

const fileName = text('fileName', 'File Name', 'Name of the file');
const attachmentId = text('attachmentId', 'Attachment', 'ID of the attachment', { required: true });
const property = (use: string) =>
  text('binaryPropertyName', 'Binary Property', `Property of the item that ${use} the file`, {
    default: 'data',
    required: true,
  });
const attachmentPath = (item: ServiceItem) => `${messagePath(item)}/attachments/${encodeURIComponent(item.id('attachmentId'))}`;

/** https://learn.microsoft.com/graph/api/resources/attachment */
export const messageAttachment: Resource = {
  displayName: 'Message Attachment',
  operations: {
    add: {
      displayName: 'Add',
      description: 'Adds a file of at most 3 MB to a draft',
      properties: [
        messageId,
        property('has'),
        ...byVersion([options([fileName])], [collection('additionalFields', 'Additional Fields', [fileName])]),
      ],
      async run(item) {
        const entries = [{ binaryPropertyName: item.text('binaryPropertyName', 'data') }];
        const { attachments = [] } = await messageOf(item, { attachments: { attachments: entries } });
        const [file] = objectsOf(attachments);
        const name = item.optional(isFirst(item) ? 'additionalFields.fileName' : 'options.fileName');
        return item.send({ path: `${messagePath(item)}/attachments`, json: { ...file, ...(name !== undefined && { name }) } });
      },
    },
    download: {
      displayName: 'Download',
      description: 'Downloads an attachment',
      properties: [messageId, attachmentId, property('gets')],
      async run(item) {
        const response = await item.send({ path: attachmentPath(item), query: { $select: 'id,name,contentType' } });
        const { name = '', contentType = '' } = objectOf(response);
        const file = { fileName: asText(name), mimeType: asText(contentType ?? '') };
        return item.download({ path: `${attachmentPath(item)}/$value` }, {}, item.text('binaryPropertyName', 'data'), file);
      },
    },
    get: {
      displayName: 'Get',
      description: 'Gets the data of an attachment',
      properties: [messageId, attachmentId],
      run: (item) => item.send({ path: attachmentPath(item), query: { $select: 'id,name,contentType,size,isInline' } }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the attachments of a message',
      properties: [messageId, ...listProperties],
      run: (item) => listed(item, `${messagePath(item)}/attachments`, { $select: 'id,name,contentType,size,isInline' }),
    },
  },
};
