import { type Attacks, accepted } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  'click-up': () => [
    {
      name: 'many assignees',
      parameters: { operation: 'create', list: 'l', name: 'a', additionalFields: { assignees: '1,'.repeat(100_000) } },
      answer: accepted,
    },
    {
      name: 'a long date',
      parameters: { operation: 'create', list: 'l', name: 'a', additionalFields: { dueDate: '1'.repeat(15_000_000) } },
      answer: accepted,
    },
  ],
  'click-up-trigger': () => [],
};
