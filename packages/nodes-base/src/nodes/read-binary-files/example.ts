import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'An item for each file.',
  parameters: { fileSelector: '/files/*.txt' },
  inputs: [[{}]],
  folder: { '/files/a.txt': 'one', '/files/b.txt': 'two' },
  outputs: [[{}, {}]],
};
