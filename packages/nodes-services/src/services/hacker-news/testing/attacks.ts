import { type Attacks, manyObjects } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  'hacker-news': () => [
    {
      name: 'many stories',
      parameters: { resource: 'all', returnAll: true },
      answer: () => `{"hits":${manyObjects(300_000)},"nbPages":100000000}`,
    },
  ],
};
