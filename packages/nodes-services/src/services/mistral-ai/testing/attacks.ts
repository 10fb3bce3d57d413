import { type Attacks, manyObjects } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  'mistral-ai': () => [
    {
      name: 'many pages',
      parameters: { inputType: 'url', url: 'https://x.example' },
      answer: () => `{"pages":${manyObjects(900_000)}}`,
    },
    {
      name: 'many problems',
      parameters: { inputType: 'url', url: 'https://x.example' },
      status: 422,
      answer: () => `{"detail":${manyObjects(900_000)}}`,
    },
  ],
};
