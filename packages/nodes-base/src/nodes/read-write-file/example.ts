import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'An item for each text file of a folder, its content in the field `data` of its files.',
  parameters: { operation: 'read', fileSelector: '/files/*.txt', options: { mimeType: 'text/plain' } },
  inputs: [[{}]],
  folder: { '/files/a.txt': 'one', '/files/b.txt': 'two', '/files/c.csv': 'x' },
  outputs: [
    [
      { mimeType: 'text/plain', fileType: 'text', fileName: 'a.txt', fileExtension: 'txt', fileSize: '3 B' },
      { mimeType: 'text/plain', fileType: 'text', fileName: 'b.txt', fileExtension: 'txt', fileSize: '3 B' },
    ],
  ],
};
