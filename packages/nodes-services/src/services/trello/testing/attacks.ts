import { type Attacks, accepted } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  trello: () => [
    {
      name: 'a long text',
      parameters: { operation: 'create', listId: 'l', name: 'a', description: 'ä'.repeat(15_000_000), additionalFields: {} },
      answer: accepted,
    },
  ],
};
