import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'The entries of a folder, one item each.',
  needs: 'A server with a folder "/reports" that holds one file',
  parameters: { protocol: 'sftp', operation: 'list', path: '/reports' },
  inputs: [[{}]],
  outputs: [
    [
      {
        type: '-',
        name: 'day.csv',
        size: 4,
        modifyTime: '2026-01-02T00:00:00.000Z',
        accessTime: '2026-01-02T00:00:00.000Z',
        rights: { user: 'rw', group: 'r', other: 'r' },
        owner: 1000,
        group: 1000,
        path: '/reports/day.csv',
      },
    ],
  ],
};
