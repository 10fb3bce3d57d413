import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Stores a text as a file in the root folder.',
  needs: 'a Box account, and an app with OAuth2 (Developer Console → Create New App)',
  notes:
    'The app needs the scope “Write all files and folders stored in Box”. An upload never replaces a file: a name that exists is an error. Box accepts up to 50 MB per upload. The ID of the root folder is `0`.',
  parameters: { fileName: 'notes.txt', fileContent: 'Remember the milk.' },
  inputs: [[{}]],
  outputs: [[{ type: 'file', id: '7', name: 'notes.txt' }]],
};
