import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Starts the workflow for each unread message from a sender.',
  needs: 'an app registration at Microsoft Entra, and a connected mailbox',
  notes: [
    'Setup: as for the [Microsoft Outlook](microsoft-outlook.md) node, with the delegated permissions `Mail.Read` and `offline_access`. For a shared mailbox, name it in the credential.',
    '',
    'Drafts start no workflow, and sent messages only if their folder is in **Folders to Include**. Messages that appear up to ten minutes late are found. A poll handles 500',
    'messages, and the next one continues. With **Read Status** "Unread", a message that somebody reads before the poll starts no workflow.',
  ].join('\n'),
  parameters: {
    pollTimes: { item: [{ mode: 'everyMinute' }] },
    event: 'messageReceived',
    output: 'simple',
    filters: { readStatus: 'unread', sender: 'ada@example.com' },
    options: {},
  },
  outputs: [
    [
      {
        id: 'm2',
        conversationId: 'c1',
        subject: 'Hi',
        bodyPreview: 'Hello',
        from: 'ada@example.com',
        to: ['me@example.com'],
        categories: [],
        hasAttachments: true,
      },
    ],
  ],
};
