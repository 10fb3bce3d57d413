import { type Attacks, accepted } from '../../../testing/attack.ts';

const create = { resource: 'customer', operation: 'create', name: 'a' };

export const attacks: Attacks = {
  stripe: () => [
    {
      name: 'much metadata',
      parameters: {
        ...create,
        additionalFields: {
          metadata: { metadataProperties: Array.from({ length: 100_000 }, (_, id) => ({ key: `k${id}`, value: 'x' })) },
        },
      },
      answer: accepted,
    },
    {
      name: 'a long text',
      parameters: { ...create, additionalFields: { description: 'ä'.repeat(10_000_000) } },
      answer: accepted,
    },
    {
      name: 'a list in place of text',
      parameters: { ...create, additionalFields: { description: Array.from({ length: 500_000 }, () => 'x') } },
      answer: accepted,
    },
  ],
  'stripe-trigger': () => [],
};
