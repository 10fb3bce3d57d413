import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'A file of the item goes into a folder of a bucket.',
  needs: 'A bucket "reports", and an item with a file in "data"',
  parameters: {
    resource: 'file',
    operation: 'upload',
    bucketName: 'reports',
    fileName: 'day.csv',
    additionalFields: { parentFolderKey: '2026' },
  },
  inputs: [[{}]],
  outputs: [[{ success: true }]],
};
