import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Stores an item as a file in a project.',
  needs: 'a GitLab account with an access token (Edit profile → Access tokens) that has the scope `api`, or OAuth2',
  notes: 'The credential names the server, so GitLab.com and own servers work alike.',
  parameters: {
    resource: 'file',
    operation: 'create',
    owner: 'acme',
    repository: 'backups',
    filePath: 'reports/today.json',
    fileContent: '={{ JSON.stringify($json) }}',
    branch: 'main',
    commitMessage: 'Report of today',
  },
  inputs: [[{ total: 120 }]],
  outputs: [[{ file_path: 'reports/today.json', branch: 'main' }]],
};
