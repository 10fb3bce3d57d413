import type { JsonObject } from '@sluice/node-sdk';
import { collection, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Produced, Resource } from '../../shared/define-service.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { filePath, fileRequest } from './file-path.ts';
import { call } from './telegram-client.ts';

export const file: Resource = {
  displayName: 'File',
  operations: {
    get: {
      displayName: 'Get',
      description: 'Gets a file that was sent to the bot, of at most 20 MB',
      properties: [
        text('fileId', 'File ID', 'Identifier of the file', { required: true }),
        toggle('download', 'Download', 'Whether to download the file into the property `data` of the item', { default: true }),
        collection('additionalFields', 'Additional Fields', [
          text('mimeType', 'MIME Type', 'Type of the file; by default, it follows from the name'),
        ]),
      ],
      run: getFile,
    },
  },
};

async function getFile(item: ServiceItem): Promise<Produced> {
  const response = (await call(item, 'getFile', { file_id: item.required('fileId') })) as JsonObject;
  if (!item.toggle('download', true)) return response;
  const path = filePath(response);
  if (path === undefined)
    throw item.error('Telegram has no path for the file', 'Files of more than 20 MB cannot be downloaded by bots');
  const fileName = path.split('/').at(-1) ?? 'file';
  return item.download(fileRequest(path), response, 'data', { fileName, mimeType: item.text('additionalFields.mimeType') });
}
