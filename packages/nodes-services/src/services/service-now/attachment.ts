import type { JsonObject, NodeProperty } from '@sluice/node-sdk';
import { collection, options, text, toggle, where } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import type { FileItem } from '../../shared/file-item.ts';
import { objectOf, textOf } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { conditions, listed, plainName, resultOf, uniqueOrder } from './service-now-client.ts';

const attachmentId = text('attachmentId', 'Attachment ID', '`sys_id` of the attachment', { required: true });
const download: readonly NodeProperty[] = [
  toggle('download', 'Download Attachments', 'Whether to download the files'),
  text('outputField', 'Output Field', 'Field for the file', { default: 'data', ...where({ download: [true] }) }),
];
const tableName = text('tableName', 'Table Name or ID', 'Name of the table', {
  required: true,
  typeOptions: { loadOptionsMethod: 'getTables' },
});
const pathOf = (id: string): string => `/attachment/${encodeURIComponent(id)}`;

/**
 * https://www.servicenow.com/docs/bundle/zurich-api-reference/page/integrate/inbound-rest/concept/c_AttachmentAPI.html
 */
export const attachment: Resource = {
  displayName: 'Attachment',
  operations: {
    upload: {
      displayName: 'Upload',
      description: 'Attaches a file to a record',
      properties: [
        tableName,
        text('id', 'Table Record ID', '`sys_id` of the record', { required: true }),
        text('inputDataFieldName', 'Input Data Field Name', 'Field with the file of the item', { default: 'data' }),
        collection('options', 'Options', [text('file_name', 'File Name', 'Name of the attachment; default: that of the file')]),
      ],
      async run(item) {
        const property = item.text('inputDataFieldName', 'data') || 'data';
        const file = item.file(property);
        const { body } = await item.body(file);
        const query = {
          table_name: item.required('tableName').trim(),
          table_sys_id: item.required('id').trim(),
          file_name: item.optional('options.file_name') ?? file.fileName ?? property,
        };
        return resultOf(item, { path: '/attachment/file', query, bytes: { body, contentType: file.mimeType } });
      },
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes an attachment',
      properties: [attachmentId],
      run: (item) => item.perform({ method: 'DELETE', path: pathOf(item.id('attachmentId').trim()) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets an attachment',
      properties: [attachmentId, ...download],
      async run(item) {
        const record = objectOf(await resultOf(item, { path: pathOf(item.id('attachmentId').trim()) }));
        return item.toggle('download') ? fileOf(item, record) : record;
      },
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the attachments of a table, the newest first',
      properties: [
        tableName,
        ...listPropertiesOf(),
        ...download,
        options([text('queryFilter', 'Filter', 'Encoded query, such as `table_sys_id=…^content_type=image/png`')]),
      ],
      async run(item) {
        const query = conditions(`table_name=${plainName(item, 'tableName')}`, item.text('options.queryFilter'));
        const newest = `ORDERBYDESCsys_created_on^${uniqueOrder}`;
        const records = await listed(item, '/attachment', { sysparm_query: query }, newest);
        if (!item.toggle('download')) return records;
        const files: FileItem[] = [];
        for (const record of records) files.push(await fileOf(item, record));
        return files;
      },
    },
  },
};

function fileOf(item: ServiceItem, record: JsonObject): Promise<FileItem> {
  const file = { fileName: textOf(record['file_name']), mimeType: textOf(record['content_type']) };
  const path = `${pathOf(textOf(record['sys_id']))}/file`;
  return item.download({ path, headers: { accept: '*/*' } }, record, item.text('outputField', 'data') || 'data', file);
}
