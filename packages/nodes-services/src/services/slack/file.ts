import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/node-sdk';
import { collection, names, namesParameter, text, toggle, when } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { asText } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { memberOf, read, write } from './slack-client.ts';

const field = text('binaryPropertyName', 'File Property', 'Property of the item that has the file', {
  default: 'data',
  required: true,
});

/**
 * Versions that upload text unless the author selected a file, and can share it in several
 * channels.
 */
const firstVersions = [1, 2, 2.1];
const laterVersions = [2.2, 2.3, 2.4, 2.5, 2.6, 2.7];

export const file: Resource = {
  displayName: 'File',
  initial: 'upload',
  operations: {
    get: {
      displayName: 'Get',
      description: 'Gets a file',
      properties: [text('fileId', 'File ID', 'Identifier of the file', { required: true })],
      run: (item) => memberOf(item.send(read('files.info', { file: item.required('fileId') })), 'file'),
    },
    upload: {
      displayName: 'Upload',
      description: 'Uploads a file, and shares it in a channel',
      properties: [
        toggle('binaryData', 'Binary File', 'Whether to upload a file of the item instead of text', when(firstVersions)),
        text('fileContent', 'File Content', 'Text of the file', when(firstVersions, { binaryData: [false] })),
        { ...field, ...when(firstVersions, { binaryData: [true] }) },
        { ...field, ...when(laterVersions) },
        collection('options', 'Options', [
          names('channelIds', 'Channels', 'IDs of the channels that get the file', when(firstVersions)),
          text('channelId', 'Channel', 'Channel that gets the file', when(laterVersions)),
          text('fileName', 'File Name', 'Name of the file'),
          text('initialComment', 'Initial Comment', 'Message with the file'),
          text('threadTs', 'Thread Timestamp', 'Message that the file replies to'),
          text('title', 'Title', 'Title of the file'),
        ]),
      ],
      run: upload,
    },
  },
};

/**
 * https://docs.slack.dev/messaging/working-with-files#uploading_files: an upload URL, the bytes,
 * and the share.
 */
async function upload(item: ServiceItem): Promise<JsonValue | undefined> {
  const { body, byteLength, contentType, name } = await contentOf(item);
  const filename = item.optional('options.fileName') ?? name;
  const place = (await item.send({
    path: '/files.getUploadURLExternal',
    form: { filename, length: asText(byteLength) },
  })) as JsonObject;
  await item.send({
    method: 'POST',
    path: asText(place['upload_url']),
    bytes: { body, contentType },
  });
  const files = await memberOf(
    write(item, 'files.completeUploadExternal', {
      files: [{ id: place['file_id'] ?? '', title: item.optional('options.title') ?? filename }],
      ...placeOf(item),
      initial_comment: item.optional('options.initialComment'),
      thread_ts: item.optional('options.threadTs'),
    }),
    'files',
  );
  return Array.isArray(files) && files.every(isJsonObject) ? files : null;
}

async function contentOf(item: ServiceItem) {
  if (firstVersions.includes(item.version) && !item.toggle('binaryData')) {
    const body = Buffer.from(item.required('fileContent'));
    return { body, byteLength: body.length, contentType: 'text/plain', name: 'file.txt' };
  }
  const file = item.file(item.text('binaryPropertyName', 'data'));
  return { ...(await item.body(file)), contentType: file.mimeType, name: file.fileName ?? 'file' };
}

function placeOf(item: ServiceItem): Record<string, string | undefined> {
  const channels = namesParameter(item.context, 'options.channelIds', item.index);
  return channels.length > 1
    ? { channels: channels.join(',') }
    : { channel_id: channels[0] ?? item.optional('options.channelId') };
}
