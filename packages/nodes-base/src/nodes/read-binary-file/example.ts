import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'The item gets the file in addition to its fields.',
  parameters: { filePath: '/files/logo.svg' },
  inputs: [[{ id: 1 }]],
  folder: { '/files/logo.svg': '<svg/>' },
  outputs: [[{ id: 1 }]],
};
