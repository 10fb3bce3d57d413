import { type Attacks, accepted, manyObjects } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  mailchimp: () => [
    {
      name: 'many tags',
      parameters: { resource: 'memberTag', operation: 'create', list: 'l', email: 'a@b.example', tags: 'x,'.repeat(500_000) },
      answer: accepted,
    },
    {
      name: 'many members',
      parameters: { resource: 'member', operation: 'getAll', list: 'l', returnAll: true },
      answer: () => `{"total_items":1,"members":${manyObjects(300_000)}}`,
    },
  ],
};
