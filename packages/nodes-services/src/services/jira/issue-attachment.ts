import type { JsonObject } from '@sluice/node-sdk';
import { text, toggle, where } from '@sluice/nodes-base/node-tools';
import type { Produced, Resource } from '../../shared/define-service.ts';
import type { FileItem } from '../../shared/file-item.ts';
import { asText, objectOf, objectsOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { issueKey, issuePath, listProperties } from './jira-properties.ts';

const attachmentId = text('attachmentId', 'Attachment ID', 'ID of the attachment', { required: true });
const binaryProperty = text('binaryPropertyName', 'File Property', 'Property of the item with the file', { default: 'data' });
const download = toggle('download', 'Download', 'Whether to download the file');
const into = text('binaryProperty', 'Put Output File in Property', 'Property of the item for the file', {
  default: 'data',
  ...where({ download: [true] }),
});

const attachmentPath = (item: ServiceItem) => `/2/attachment/${encodeURIComponent(item.id('attachmentId'))}`;

export const issueAttachment: Resource = {
  displayName: 'Issue Attachment',
  operations: {
    add: {
      displayName: 'Add',
      description: 'Adds a file to an issue',
      properties: [issueKey, binaryProperty],
      run: (item) => {
        const file = item.file(item.text('binaryPropertyName', 'data'));
        const parts = { from: item.context.binary, list: [{ name: 'file', file }] };
        // Jira rejects forms without this header.
        return item.send({ path: issuePath(item, '/attachments'), parts, headers: { 'x-atlassian-token': 'no-check' } });
      },
    },
    get: {
      displayName: 'Get',
      description: 'Gets an attachment',
      properties: [attachmentId, download, into],
      run: async (item) => withFile(item, objectOf(await item.send({ path: attachmentPath(item) }))),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the attachments of an issue',
      properties: [issueKey, ...listProperties, download, into],
      async run(item) {
        const response = objectOf(await item.send({ path: issuePath(item), query: { fields: 'attachment' } }));
        const attachments = objectsOf(objectOf(response['fields'])['attachment']).slice(0, item.limit());
        if (!item.toggle('download')) return attachments;
        const files: FileItem[] = [];
        for (const one of attachments) files.push(await downloaded(item, one));
        return files;
      },
    },
    remove: {
      displayName: 'Remove',
      description: 'Removes an attachment',
      properties: [attachmentId],
      run: (item) => item.perform({ method: 'DELETE', path: attachmentPath(item) }),
    },
  },
};

async function withFile(item: ServiceItem, attachment: JsonObject): Promise<Produced> {
  return item.toggle('download') ? downloaded(item, attachment) : attachment;
}

function downloaded(item: ServiceItem, attachment: JsonObject): Promise<FileItem> {
  const { content = '', filename = '', mimeType = '' } = attachment;
  return item.download({ path: asText(content) }, attachment, item.text('binaryProperty', 'data'), {
    fileName: asText(filename),
    mimeType: asText(mimeType),
  });
}
