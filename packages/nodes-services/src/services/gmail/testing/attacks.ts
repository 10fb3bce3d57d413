import { type Attacks, longQuestion } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  gmail: () => [longQuestion({ sendTo: 'a@b.example', subject: 'x' })],
  'gmail-trigger': () => [
    {
      name: 'a long history',
      parameters: { simple: true, filters: {} },
      cursor: { historyId: '1', latestMs: 1, pending: [] },
      answer: (path) =>
        path.endsWith('/history') ? `{"history":[${history(200_000)}]}` : '{"internalDate":"1","messages":[]}',
    },
  ],
};

function history(count: number): string {
  return Array.from({ length: count }, (_, id) => `{"id":"${id}","messagesAdded":[{"message":{"id":"m${id}"}}]}`).join();
}
