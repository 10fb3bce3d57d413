import { collection, text } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { asText, objectOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { phoneNumberId, upload } from './whats-app-client.ts';

const mediaPath = (item: ServiceItem, name: string) => `/${encodeURIComponent(item.required(name))}`;

/** https://developers.facebook.com/docs/whatsapp/cloud-api/reference/media */
export const media: Resource = {
  displayName: 'Media',
  initial: 'mediaUpload',
  operations: {
    mediaUpload: {
      displayName: 'Upload',
      description: 'Uploads a file of the item, for messages',
      properties: [
        phoneNumberId,
        text('mediaPropertyName', 'Property Name', 'Property of the item that has the file', {
          default: 'data',
          required: true,
        }),
        collection('additionalFields', 'Additional Fields', [text('mediaFileName', 'Filename', 'Name of the file')]),
      ],
      run: (item) => upload(item, item.text('mediaPropertyName', 'data'), item.optional('additionalFields.mediaFileName')),
    },
    mediaUrlGet: {
      displayName: 'Download',
      description: 'Gets the address of a file, which is valid for five minutes and needs the credential',
      properties: [text('mediaGetId', 'Media ID', 'ID of the file', { required: true })],
      run: (item) => item.send({ path: mediaPath(item, 'mediaGetId') }),
    },
    mediaDownload: {
      displayName: 'Download to Binary',
      description: 'Downloads a file into a property of the item',
      properties: [
        text('mediaGetId', 'Media ID', 'ID of the file', { required: true }),
        text('mediaPropertyName', 'Property Name', 'Property of the item that gets the file', {
          default: 'data',
          required: true,
        }),
      ],
      async run(item) {
        const response = await item.send({ path: mediaPath(item, 'mediaGetId') });
        const { url = '', mime_type: mimeType = '', ...rest } = objectOf(response);
        const file = { mimeType: asText(mimeType) };
        return item.download(
          { path: asText(url) },
          { ...rest, mime_type: mimeType },
          item.text('mediaPropertyName', 'data'),
          file,
        );
      },
    },
    mediaDelete: {
      displayName: 'Delete',
      description: 'Deletes a file',
      properties: [text('mediaDeleteId', 'Media ID', 'ID of the file', { required: true })],
      run: (item) => item.send({ method: 'DELETE', path: mediaPath(item, 'mediaDeleteId') }),
    },
  },
};
