import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'The item gets the path of the written file.',
  parameters: { fileName: '/files/greeting.txt' },
  inputs: [[{ id: 1 }]],
  files: { data: { fileName: 'greeting.txt', text: 'hello' } },
  folder: {},
  outputs: [[{ id: 1, fileName: '/files/greeting.txt' }]],
};
