import { type Attacks, accepted, longQuestion } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  'microsoft-outlook': () => [
    longQuestion({ toRecipients: 'a@b.example', subject: 'x' }),
    {
      name: 'many recipients',
      parameters: {
        resource: 'message',
        operation: 'send',
        toRecipients: 'a@b.example,'.repeat(1_000_000),
        subject: 'x',
        bodyContent: 'x',
      },
      answer: accepted,
    },
  ],
  'microsoft-outlook-trigger': () => [
    {
      name: 'many messages',
      parameters: { output: 'raw' },
      cursor: { atMs: 1, seen: [], sentId: 's' },
      answer: () => `{"value":[${'{"id":"a","receivedDateTime":"2026-01-01T00:00:00Z"},'.repeat(200_000)}{}]}`,
    },
  ],
};
