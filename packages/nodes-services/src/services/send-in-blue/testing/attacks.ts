import { type Attacks, large, manyObjects } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  'send-in-blue': () => [
    {
      name: 'many contacts',
      parameters: { resource: 'contact', operation: 'getAll', returnAll: true },
      answer: () => `{"contacts":${manyObjects(300_000)},"count":100000000}`,
    },
    {
      name: 'a long text',
      parameters: {
        sender: '<'.repeat(8_000_000),
        receipients: 'a@x.example',
        subject: 's',
        textContent: 'x'.repeat(8_000_000),
      },
      items: [large()],
      answer: () => '{}',
    },
  ],
};
