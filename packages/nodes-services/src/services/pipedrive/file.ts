import type { NodeProperty } from '@sluice/node-sdk';
import { collection, text } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { asText, objectOf, textOf } from '../../shared/json-values.ts';
import { dataOf, listed, pathOf } from './pipedrive-client.ts';
import { idOf, listProperties } from './records.ts';

const property = text('binaryPropertyName', 'Binary Property', 'Name of the file in the item', {
  default: 'data',
  required: true,
});
const targets: readonly NodeProperty[] = [
  text('activity_id', 'Activity ID', 'ID of the activity'),
  text('deal_id', 'Deal ID', 'ID of the deal'),
  text('lead_id', 'Lead ID', 'ID of the lead'),
  text('org_id', 'Organization ID', 'ID of the organization'),
  text('person_id', 'Person ID', 'ID of the person'),
  text('product_id', 'Product ID', 'ID of the product'),
];
const files = '/api/v1/files';

/** https://developers.pipedrive.com/docs/api/v1/Files */
export const file: Resource = {
  displayName: 'File',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Uploads a file to a record',
      properties: [property, collection('additionalFields', 'Additional Fields', targets)],
      run: (item) => {
        const content = item.file(item.text('binaryPropertyName', 'data'));
        const fields = Object.entries(item.fields('additionalFields')).map(([name, value]) => ({ name, value: asText(value) }));
        const list = [...fields, { name: 'file', file: content }];
        return dataOf(item, { path: files, parts: { from: item.context.binary, list } });
      },
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a file',
      properties: [idOf('file')],
      run: (item) => item.perform({ method: 'DELETE', path: pathOf(item, files, 'fileId') }),
    },
    download: {
      displayName: 'Download',
      description: 'Downloads a file',
      properties: [idOf('file'), property],
      async run(item) {
        const record = objectOf(await dataOf(item, { path: pathOf(item, files, 'fileId') }));
        const fileName = textOf(record['name']);
        const request = { path: pathOf(item, files, 'fileId', '/download') };
        const name = item.text('binaryPropertyName', 'data');
        return item.download(request, record, name, { fileName, isTypeOfName: fileName !== '' });
      },
    },
    get: {
      displayName: 'Get',
      description: 'Gets the name and location of a file',
      properties: [idOf('file')],
      run: (item) => dataOf(item, { path: pathOf(item, files, 'fileId') }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists files',
      properties: listProperties,
      run: (item) => listed(item, files),
    },
    update: {
      displayName: 'Update',
      description: 'Changes the name and description of a file',
      properties: [
        idOf('file'),
        collection('updateFields', 'Update Fields', [
          text('name', 'Name', 'Name of the file'),
          text('description', 'Description', 'Description of the file'),
        ]),
      ],
      run: (item) => {
        const form = Object.fromEntries(
          Object.entries(item.fields('updateFields')).map(([name, value]) => [name, asText(value)]),
        );
        return dataOf(item, { method: 'PUT', path: pathOf(item, files, 'fileId'), form });
      },
    },
  },
};
