import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Starts the workflow for each unread message from a sender.',
  needs: 'a Google account, connected by OAuth2 with the scopes of the credential type',
  notes:
    'Enable the Gmail API in the Google Cloud console. Polls read the history of the mailbox, which Gmail keeps for a week or longer; after a longer pause, messages are found by their time. Messages that the account sends, and drafts, start no workflow. A message that a filter excludes when it arrives is checked again for ten minutes.',
  parameters: {
    pollTimes: { item: [{ mode: 'everyMinute' }] },
    simple: true,
    filters: { readStatus: 'unread', sender: 'ada@example.com' },
    options: {},
  },
  outputs: [
    [
      {
        id: 'm2',
        threadId: 't1',
        snippet: 'Hello',
        payload: { mimeType: 'text/plain' },
        labels: [
          { id: 'INBOX', name: 'INBOX' },
          { id: 'L1', name: 'Work' },
        ],
        From: 'Ada <ada@example.com>',
        To: '"Me, Myself" <me@example.com>, Bob <bob@example.com>',
        Cc: 'eve@example.com',
        Subject: 'Hi',
      },
    ],
  ],
};
