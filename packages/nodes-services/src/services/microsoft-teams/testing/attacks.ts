import { type Attacks, accepted } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  'microsoft-teams': () => [
    {
      name: 'a long question',
      parameters: { resource: 'chatMessage', operation: 'sendAndWait', chatId: 'x', message: '<a&'.repeat(5_000_000) },
      answer: accepted,
    },
    {
      name: 'a long ID',
      parameters: { resource: 'chatMessage', operation: 'create', chatId: '%a'.repeat(5_000_000), message: 'x' },
      answer: accepted,
    },
  ],
};
