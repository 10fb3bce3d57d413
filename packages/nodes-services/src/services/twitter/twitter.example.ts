import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Creates a post.',
  needs: 'an app at X with OAuth 2, and its client ID and secret',
  notes: [
    'Setup: in the [developer portal](https://developer.x.com), create a project and an app, set up **User authentication** with',
    '*Read and write and Direct message* and the redirect URL of the credential, and store the client ID and secret. Version 1 of the node has a',
    'credential with OAuth 1: the API key, its secret, and the access token of the app.',
    '',
    'Scopes of the credential: `tweet.read`, `tweet.write`, `tweet.moderate.write`, `users.read`, `follows.read`, `follows.write`, `like.read`, `like.write`,',
    '`dm.read`, `dm.write`, `list.read`, `list.write`, and `media.write`; `offline.access` for a token that the node renews. OAuth 1 has the permissions of the app instead.',
    '',
    'Both versions send requests of version 2 of the API, because X has shut down version 1.1 for posts. Results are in version 2 format.',
    'Limits depend on the plan; a rate limit of more than a minute is an error with its reset time.',
  ].join('\n'),
  parameters: { text: 'Hello', additionalFields: {} },
  inputs: [[{}]],
  outputs: [[{ id: '7', text: 'Hello' }]],
};
