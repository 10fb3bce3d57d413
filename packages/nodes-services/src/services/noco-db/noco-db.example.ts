import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Creates a row for each item.',
  needs: 'a NocoDB server, an API token (Account Settings → Tokens), and the IDs of a base and a table',
  notes:
    'Version 3 of the node uses version 2 of the API, and the earlier versions of the node version 1. File values cannot be written. The cloud accepts 5 requests per second; after more, the node waits.',
  parameters: {
    authentication: 'nocoDbApiToken',
    operation: 'create',
    projectId: 'p1',
    table: 'm1',
    fieldsUi: { fieldValues: [{ fieldName: 'Name', fieldValue: '={{ $json.name }}' }] },
  },
  inputs: [[{ name: 'Ada' }]],
  outputs: [[{ Name: 'Ada', Id: 7 }]],
};
