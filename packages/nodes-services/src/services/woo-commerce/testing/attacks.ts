import { type Attacks, accepted, manyObjects } from '../../../testing/attack.ts';

const many = <T>(entry: (id: number) => T) => Array.from({ length: 100_000 }, (_, id) => entry(id));

export const attacks: Attacks = {
  'woo-commerce': () => [
    {
      name: 'many lines with metadata',
      parameters: {
        resource: 'order',
        operation: 'create',
        lineItemsUi: {
          lineItemsValues: many((id) => ({
            productId: `${id}`,
            quantity: 1,
            metadataUi: { metadataValues: [{ key: 'a', value: 'b' }] },
          })),
        },
      },
      answer: accepted,
    },
    {
      name: 'a long list of categories',
      parameters: { operation: 'create', name: 'a', additionalFields: { categories: many((id) => id) } },
      answer: accepted,
    },
    {
      name: 'long text as IDs',
      parameters: { operation: 'create', name: 'a', additionalFields: { upsellIds: '1,'.repeat(1_000_000) } },
      answer: accepted,
    },
    {
      name: 'many products',
      parameters: { operation: 'getAll', returnAll: true, options: {} },
      answer: () => `[${manyObjects(300_000).slice(1)}`,
    },
  ],
  'woo-commerce-trigger': () => [],
};
