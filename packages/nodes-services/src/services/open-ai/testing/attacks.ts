import { type Attacks, manyObjects } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  'open-ai': () => [
    {
      name: 'many answers',
      parameters: { resource: 'chat', prompt: 'a' },
      answer: () => `{"choices":${manyObjects(1_000_000)}}`,
    },
  ],
};
