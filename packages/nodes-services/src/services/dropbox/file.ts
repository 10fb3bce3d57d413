import { folderOf, text, toggle, where } from '@sluice/nodes-base/node-tools';
import type { Operation, Produced, Resource } from '../../shared/define-service.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { call, contentRequest } from './dropbox-client.ts';
import { uploadFile, uploadText } from './upload.ts';

const path = (what: string) =>
  text('path', 'Path', `Path of the ${what}, such as \`/reports/2026\`, or its ID`, { required: true });
const property = (use: string) =>
  text('binaryPropertyName', 'Binary Property', `Property of the item that ${use} the file`, {
    default: 'data',
    required: true,
  });

/** Operations that move or copy to another path. */
export const relocation = (displayName: string, what: string, verb: string, endpoint: string): Operation => ({
  displayName,
  description: `${verb} a ${what}`,
  properties: [
    { ...path(what), displayName: 'From Path' },
    text('toPath', 'To Path', `New path of the ${what}, with its name`, { required: true }),
  ],
  run: (item) => call(item, endpoint, { from_path: item.required('path'), to_path: item.required('toPath') }),
});

export const removal = (what: string): Operation => ({
  displayName: 'Delete',
  description: `Deletes a ${what}`,
  properties: [{ ...path(what), displayName: 'Delete Path' }],
  run: (item) => call(item, 'delete_v2', { path: item.required('path') }),
});

export const file: Resource = {
  displayName: 'File',
  initial: 'upload',
  operations: {
    copy: relocation('Copy', 'file', 'Copies', 'copy_v2'),
    delete: removal('file'),
    download: {
      displayName: 'Download',
      description: 'Downloads a file',
      properties: [path('file'), property('gets')],
      run: download,
    },
    move: relocation('Move', 'file', 'Moves', 'move_v2'),
    upload: {
      displayName: 'Upload',
      description: 'Uploads a file or text; a file at the path is overwritten',
      properties: [
        { ...path('file'), displayName: 'File Path', description: 'Path of the file with its name, such as `/reports/a.pdf`' },
        toggle('binaryData', 'Binary File', 'Whether to upload a file of the item instead of text'),
        { ...property('has'), ...where({ binaryData: [true] }) },
        text('fileContent', 'File Content', 'Text of the file', where({ binaryData: [false] })),
      ],
      run: upload,
    },
  },
};

async function download(item: ServiceItem): Promise<Produced> {
  const from = item.required('path');
  const request = await contentRequest(item, 'download', { path: from });
  const place = from.startsWith('id:') ? {} : { fileName: from.slice(from.lastIndexOf('/') + 1), ...folderOf(from) };
  return item.download(request, {}, item.text('binaryPropertyName', 'data'), place);
}

function upload(item: ServiceItem) {
  const commit = { mode: 'overwrite', path: item.required('path') };
  if (!item.toggle('binaryData')) return uploadText(item, item.text('fileContent'), commit);
  return uploadFile(item, item.file(item.text('binaryPropertyName', 'data')), commit);
}
