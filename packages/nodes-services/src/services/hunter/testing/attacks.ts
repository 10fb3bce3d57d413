import { type Attacks, manyObjects } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  hunter: () => [
    {
      name: 'many addresses',
      parameters: { operation: 'domainSearch', domain: 'x.example', returnAll: true },
      answer: () => `{"data":{"emails":${manyObjects(299_999)}},"meta":{"results":100000000}}`,
    },
    {
      name: 'many errors',
      parameters: { operation: 'emailVerifier', email: 'x' },
      answer: () => `{"errors":${manyObjects(1_000_000)}}`,
    },
  ],
};
