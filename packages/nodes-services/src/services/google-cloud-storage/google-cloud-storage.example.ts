import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Stores text as an object.',
  needs: 'a Google account with access to the project, connected by OAuth2 with the scope `devstorage.full_control`',
  notes: 'The JSON API of Cloud Storage must be enabled in the Google Cloud project.',
  parameters: {
    resource: 'object',
    operation: 'create',
    bucketName: 'reports',
    objectName: '2026/today.txt',
    createFromBinary: false,
    createContent: 'Hello',
  },
  inputs: [[{}]],
  outputs: [[{ bucket: 'reports', name: '2026/today.txt', contentType: 'text/plain', size: '5' }]],
};
