import type { JsonValue } from '@sluice/node-sdk';
import { choice, choices, text, toggle, where } from '@sluice/nodes-base/node-tools';
import { defineService, type Operation, type Resource } from '../../shared/define-service.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { listFolder, nextCloudClient, ownPath, relocation } from './next-cloud-client.ts';

const path = (what: string) => text('path', 'Path', `Path of the ${what}, such as \`/reports/2026\``, { required: true });
const property = (use: string) =>
  text('binaryPropertyName', 'File Property', `Property of the item that ${use} the file`, { default: 'data' });

/** Operations on files and folders alike. */
const shared = (what: string): Readonly<Record<string, Operation>> => ({
  copy: {
    displayName: 'Copy',
    description: `Copies a ${what}`,
    properties: [path(what), text('toPath', 'To Path', `New path of the ${what}, with its name`, { required: true })],
    run: async (item) => item.perform(await relocation(item, 'COPY')),
  },
  delete: {
    displayName: 'Delete',
    description: `Deletes a ${what}`,
    properties: [path(what)],
    run: (item) => item.perform({ method: 'DELETE', path: ownPath(item) }),
  },
  move: {
    displayName: 'Move',
    description: `Moves a ${what}`,
    properties: [path(what), text('toPath', 'To Path', `New path of the ${what}, with its name`, { required: true })],
    run: async (item) => item.perform(await relocation(item, 'MOVE')),
  },
});

const file: Resource = {
  displayName: 'File',
  initial: 'upload',
  operations: {
    ...shared('file'),
    download: {
      displayName: 'Download',
      description: 'Downloads a file; the data of the item is kept',
      properties: [path('file'), property('gets')],
      run(item) {
        const from = ownPath(item);
        const name = decodeURIComponent(from.slice(from.lastIndexOf('/') + 1));
        const { json = {} } = item.context.items()[item.index] ?? {};
        return item.download({ path: from }, json, item.text('binaryPropertyName', 'data'), { fileName: name });
      },
    },
    upload: {
      displayName: 'Upload',
      description: 'Uploads a file or text; a file at the path is overwritten',
      properties: [
        { ...path('file'), description: 'Path of the file with its name, such as `/reports/a.pdf`' },
        toggle('binaryDataUpload', 'Binary File', 'Whether to upload a file of the item instead of text'),
        text('fileContent', 'File Content', 'Text of the file', where({ binaryDataUpload: [false] })),
        { ...property('has'), ...where({ binaryDataUpload: [true] }) },
      ],
      run: upload,
    },
  },
};

async function upload(item: ServiceItem): Promise<JsonValue> {
  const place = { method: 'PUT', path: ownPath(item) } as const;
  if (!item.toggle('binaryDataUpload'))
    return item.perform({ ...place, bytes: { body: item.text('fileContent'), contentType: 'text/plain; charset=utf-8' } });
  const stored = item.file(item.text('binaryPropertyName', 'data'));
  const { body } = await item.body(stored);
  return item.perform({ ...place, bytes: { body, contentType: stored.mimeType } });
}

const folder: Resource = {
  displayName: 'Folder',
  initial: 'create',
  operations: {
    ...shared('folder'),
    create: {
      displayName: 'Create',
      description: 'Creates a folder; its parent must exist',
      properties: [path('folder')],
      run: (item) => item.perform({ method: 'MKCOL', path: ownPath(item) }),
    },
    list: {
      displayName: 'List',
      description: 'Lists the files and folders of a folder',
      properties: [text('path', 'Path', 'Path of the folder; `/` or empty: the root')],
      run: listFolder,
    },
  },
};

/** Uploads, downloads, lists, and moves files in Nextcloud. */
export const nextCloud = defineService({
  displayName: 'Nextcloud',
  name: 'next-cloud',
  version: 1,
  description: 'Uploads, downloads, lists, and moves files and folders in Nextcloud',
  credentials: [
    { name: 'nextCloudApi', required: true, ...where({ authentication: ['accessToken'] }) },
    { name: 'nextCloudOAuth2Api', required: true, ...where({ authentication: ['oAuth2'] }) },
  ],
  icon: 'fa:cloud',
  iconColor: 'blue',
  client: nextCloudClient,
  leading: [choice('authentication', 'Authentication', choices(['accessToken', 'Access Token'], ['oAuth2', 'OAuth2']))],
  resources: { file, folder },
});
