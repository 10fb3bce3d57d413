import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Adds a line at the end of a document.',
  needs: 'a Google account with access to the document, connected by OAuth2, or a service account with which it is shared',
  notes:
    'Enable the Google Docs API and the Google Drive API in the Google Cloud console, and add the scopes `documents`, `drive`, and `drive.file` to the consent screen. All actions of an item are sent in one request: Google applies all of them or none. Google allows 60 changes per minute and user, and the node waits when it reaches the limit.',
  parameters: {
    operation: 'update',
    documentURL: 'https://docs.google.com/document/d/doc1/edit',
    actionsUi: { actionFields: [{ action: 'insert', text: 'Hello\n' }] },
  },
  inputs: [[{}]],
  outputs: [[{ documentId: 'doc1' }]],
};
