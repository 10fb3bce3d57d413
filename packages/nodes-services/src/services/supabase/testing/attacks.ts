import { type Attacks, accepted, large } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  supabase: () => [
    {
      name: 'a large row',
      parameters: { operation: 'create', tableId: 't', dataToSend: 'autoMapInputData', inputsToIgnore: 'x' },
      items: [large()],
      answer: accepted,
    },
    {
      name: 'many conditions',
      parameters: {
        operation: 'delete',
        tableId: 't',
        filters: { conditions: Array.from({ length: 100_000 }, () => ({ keyName: 'a', condition: 'eq', keyValue: '"' })) },
      },
      answer: accepted,
    },
  ],
};
