import { type Attacks, manyObjects } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  gotify: () => [
    {
      name: 'many messages',
      parameters: { operation: 'getAll', returnAll: true },
      answer: () => `{"messages":${manyObjects(299_999)},"paging":{"next":"x","since":1}}`,
    },
    { name: 'a long message', parameters: { message: '\u0000"'.repeat(5_000_000) }, answer: () => '{}' },
  ],
};
