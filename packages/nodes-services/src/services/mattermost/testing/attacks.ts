import { type Attacks, accepted, manyObjects } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  mattermost: () => [
    {
      name: 'a long message',
      parameters: { channelId: 'c', message: '<a&'.repeat(5_000_000) },
      answer: accepted,
    },
    {
      name: 'many attachments',
      parameters: { channelId: 'c', attachments: Array.from({ length: 50_000 }, () => ({ text: 'x' })) },
      answer: accepted,
    },
    {
      name: 'many members',
      parameters: { resource: 'channel', operation: 'members', teamId: 't', channelId: 'c', returnAll: true },
      answer: (path) => (path.endsWith('/members') ? manyObjects(300_000) : '[]'),
    },
  ],
};
