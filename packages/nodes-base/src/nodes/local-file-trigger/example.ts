import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'Each new file of a folder, once it is written, except temporary ones.',
  needs: 'a file',
  parameters: {
    triggerOn: 'folder',
    path: '/files/inbox',
    events: ['add'],
    options: { awaitWriteFinish: true, ignored: '**/*.tmp' },
  },
  outputs: [[{ event: 'add', path: '/files/inbox/order.csv' }]],
};
