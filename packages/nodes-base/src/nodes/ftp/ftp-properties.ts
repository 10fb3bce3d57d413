import type { NodeProperty } from '@sluice/node-sdk';
import { atLeast, choice, choices, number, options, text, toggle, where } from '../../shared/properties.ts';

const timeout = atLeast(
  0,
  number('timeout', 'Timeout', 10_000, 'Timeout for the connection and for the server’s responses, in milliseconds'),
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
      ['list', 'List', 'Lists the entries of a folder'],
      ['rename', 'Rename', 'Renames or moves a file'],
      ['upload', 'Upload', 'Writes a file and creates missing folders'],
    ),
    { default: 'download' },
  ),
  path('delete', 'The file'),
  options(
    [
      toggle('folder', 'Folder', 'Whether the path is a folder'),
      toggle('recursive', 'Recursive', 'Whether to delete its contents too', where({ folder: [true] })),
      timeout,
    ],
    where({ operation: ['delete'] }),
  ),
  path('download', 'The file'),
  path('upload', 'The file'),
  toggle('binaryData', 'Binary File', 'Whether the content is a file of the item instead of text', {
    default: true,
    ...where({ operation: ['upload'] }),
  }),
  text('binaryPropertyName', 'Binary Property', 'Property of the item with the file', {
    default: 'data',
    ...where({ operation: ['download', 'upload'] }),
  }),
  text('fileContent', 'File Content', 'The text', where({ operation: ['upload'], binaryData: [false] })),
  text('oldPath', 'Old Path', 'The file', { required: true, ...where({ operation: ['rename'] }) }),
  text('newPath', 'New Path', 'Path on the server', { required: true, ...where({ operation: ['rename'] }) }),
  options(
    [toggle('createDirectories', 'Create Directories', 'Whether to create the folders of the new path'), timeout],
    where({ operation: ['rename'] }),
  ),
  path('list', 'The folder', { default: '/' }),
  toggle('recursive', 'Recursive', 'Whether to list nested folders too', where({ operation: ['list'] })),
  options(
    [
      toggle('enableConcurrentReads', 'Enable Concurrent Reads', 'Has no effect: parts are always requested in parallel'),
      number('maxConcurrentReads', 'Max Concurrent Reads', 5, 'Without effect', where({ enableConcurrentReads: [true] })),
      number('chunkSize', 'Chunk Size', 64, 'Without effect', where({ enableConcurrentReads: [true] })),
      timeout,
    ],
    where({ operation: ['download'] }),
  ),
  options([timeout], where({ operation: ['upload', 'list'] })),
];
