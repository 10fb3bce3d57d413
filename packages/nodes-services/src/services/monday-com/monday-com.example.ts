import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Creates a board item for each item.',
  needs: 'a token (profile picture → Developers → API token), or an app with OAuth, and the IDs of a board and a group',
  notes: [
    'With OAuth: create an app in the [Developer Center](https://monday.com/developers/apps), add the redirect URL of the credential under **OAuth & Permissions**,',
    'choose the scopes `boards:read` and `boards:write`, also `updates:write` for updates, and store client ID and secret in the credential.',
    '',
    'The ID of a board is in its address; the first group of a new board is `topics`. Values of columns are JSON that depends on the type of the column.',
    '',
    'Limits: monday.com counts the complexity of queries per minute. When the budget is used up, the node waits for up to a minute until it is reset.',
  ].join('\n'),
  parameters: {
    authentication: 'accessToken',
    resource: 'boardItem',
    operation: 'create',
    boardId: '42',
    groupId: 'topics',
    name: '={{ $json.title }}',
    additionalFields: { columnValues: '{"status": {"label": "Done"}}' },
  },
  inputs: [[{ title: 'Plan' }]],
  outputs: [[{ id: '7' }]],
};
