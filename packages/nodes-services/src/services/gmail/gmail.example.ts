import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Sends a message.',
  needs: 'a Google account, connected by OAuth2 with the scopes of the credential type',
  notes:
    'Enable the Gmail API in the Google Cloud console. A service account must act for a user of the domain, and needs the scope `https://mail.google.com/`. Gmail accepts messages of up to 25 MB.',
  parameters: { sendTo: 'ada@example.com', subject: 'Hi', emailType: 'text', message: 'Hello', options: {} },
  inputs: [[{}]],
  outputs: [[{ id: 'm9', threadId: 't1', labelIds: ['SENT'] }]],
};
