import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Uploads text as a file.',
  needs: 'an app in the App Console of Dropbox, and a connected account or a token',
  notes: [
    'Setup: create an app in the [App Console](https://www.dropbox.com/developers/apps), add the redirect URL of the credential, and allow the scopes',
    '`files.content.write`, `files.content.read`, `sharing.read`, and `account_info.read`. Store app key and app secret in the credential. Tokens that the',
    'App Console generates expire after four hours. The access type of the credential must match the app.',
    '',
    'With access to all of Dropbox, paths start in the root folder of the team; with access to an app folder, in that folder.',
    '',
    'Files are streamed in both directions. Files of more than 150 MB are uploaded in parts. The node waits as long as Dropbox requests.',
  ].join('\n'),
  parameters: { authentication: 'oAuth2', path: '/reports/a b.txt', fileContent: 'Hello' },
  inputs: [[{}]],
  outputs: [[{ id: 'id:1', name: 'a b.txt' }]],
};
