import { type Attacks, accepted } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  'linked-in': () => [
    {
      name: 'a long text',
      parameters: { resource: 'post', operation: 'create', person: 'p', text: '()'.repeat(7_500_000), additionalFields: {} },
      answer: accepted,
    },
  ],
};
