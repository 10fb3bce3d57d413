import type { NodeProperty } from '@sluice/node-sdk';
import { atLeast, choice, choices, number, options, text, toggle, where } from '../../shared/properties.ts';

const timeout = atLeast(
  0,
  number('timeout', 'Timeout', 10_000, 'Milliseconds for connecting, and that the server may be silent'),
);
const path = (operation: string, description: string, more: Partial<NodeProperty> = {}) =>
  text('path', 'Path', description, { required: true, ...where({ operation: [operation] }), ...more });

export const ftpProperties: readonly NodeProperty[] = [
  choice('protocol', 'Protocol', choices(['ftp', 'FTP'], ['sftp', 'SFTP'])),
  choice(
    'operation',
    'Operation',
    choices(
      ['delete', 'Delete', 'Removes a file or folder'],
      ['download', 'Download', 'Reads a file'],
      ['list', 'List', 'The entries of a folder'],
      ['rename', 'Rename', 'Renames or moves a file'],
      ['upload', 'Upload', 'Writes a file, and the folders that it needs'],
    ),
    { default: 'download' },
  ),
  path('delete', 'The file'),
  options(
    [
      toggle('folder', 'Folder', 'Whether the path is a folder'),
      toggle('recursive', 'Recursive', 'Whether what is in it goes with it', where({ folder: [true] })),
      timeout,
    ],
    where({ operation: ['delete'] }),
  ),
  path('download', 'The file'),
  path('upload', 'The file'),
  toggle('binaryData', 'Binary File', 'Whether the content is a file of the item, rather than a text', {
    default: true,
    ...where({ operation: ['upload'] }),
  }),
  text('binaryPropertyName', 'Binary Property', 'Where the item has the file', {
    default: 'data',
    ...where({ operation: ['download', 'upload'] }),
  }),
  text('fileContent', 'File Content', 'The text', where({ operation: ['upload'], binaryData: [false] })),
  text('oldPath', 'Old Path', 'The file', { required: true, ...where({ operation: ['rename'] }) }),
  text('newPath', 'New Path', 'Where it is to be', { required: true, ...where({ operation: ['rename'] }) }),
  options(
    [toggle('createDirectories', 'Create Directories', 'Whether the folders of the new path are made'), timeout],
    where({ operation: ['rename'] }),
  ),
  path('list', 'The folder', { default: '/' }),
  toggle('recursive', 'Recursive', 'Whether the folders in it are listed too', where({ operation: ['list'] })),
  options(
    [
      toggle('enableConcurrentReads', 'Enable Concurrent Reads', 'Without effect: parts are asked for ahead in any case'),
      number('maxConcurrentReads', 'Max Concurrent Reads', 5, 'Without effect', where({ enableConcurrentReads: [true] })),
      number('chunkSize', 'Chunk Size', 64, 'Without effect', where({ enableConcurrentReads: [true] })),
      timeout,
    ],
    where({ operation: ['download'] }),
  ),
  options([timeout], where({ operation: ['upload', 'list'] })),
];
