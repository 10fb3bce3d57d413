import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/node-sdk';
import { collection, text } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { memberOf, read, write } from './slack-client.ts';

const field = text('binaryPropertyName', 'File Property', 'Property of the item that has the file', {
  default: 'data',
  required: true,
});

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
        field,
        collection('options', 'Options', [
          text('channelId', 'Channel', 'Channel that gets the file'),
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

/** https://docs.slack.dev/messaging/working-with-files#uploading_files: an address, the bytes, and the share. */
async function upload(item: ServiceItem): Promise<JsonValue | undefined> {
  const reference = item.file(item.text('binaryPropertyName', 'data'));
  const bytes = await item.context.binary.read(reference);
  const filename = item.optional('options.fileName') ?? reference.fileName ?? 'file';
  const place = (await item.send({
    path: '/files.getUploadURLExternal',
    form: { filename, length: String(bytes.length) },
  })) as JsonObject;
  await item.send({
    method: 'POST',
    path: String(place['upload_url']),
    bytes: { body: bytes, contentType: reference.mimeType },
  });
  const files = await memberOf(
    write(item, 'files.completeUploadExternal', {
      files: [{ id: place['file_id'] ?? '', title: item.optional('options.title') ?? filename }],
      channel_id: item.optional('options.channelId'),
      initial_comment: item.optional('options.initialComment'),
      thread_ts: item.optional('options.threadTs'),
    }),
    'files',
  );
  return Array.isArray(files) && files.every(isJsonObject) ? files : null;
}
