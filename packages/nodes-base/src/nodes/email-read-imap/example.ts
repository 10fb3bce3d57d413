import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'Each unread message of the inbox, which is then marked as read.',
  needs: 'a message',
  parameters: { mailbox: 'INBOX' },
  outputs: [
    [
      {
        from: 'Ann <ann@example.com>',
        to: 'bob@example.com',
        subject: 'Hello',
        textPlain: 'Hi!\n',
        metadata: { from: 'Ann <ann@example.com>', to: 'bob@example.com', subject: 'Hello' },
        attributes: { uid: 7, flags: [] },
      },
    ],
  ],
};
