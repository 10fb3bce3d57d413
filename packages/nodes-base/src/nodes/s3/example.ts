import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'The files of a folder, one item each.',
  needs: 'A bucket "reports" with one file in the folder "2026"',
  parameters: { resource: 'file', operation: 'getAll', bucketName: 'reports', options: { folderKey: '2026/' } },
  inputs: [[{}]],
  outputs: [
    [{ Key: '2026/day.csv', LastModified: '2026-01-02T00:00:00.000Z', ETag: '"1b2c"', Size: '4', StorageClass: 'STANDARD' }],
  ],
};
