import { type Attacks, manyObjects } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  'google-slides': () => [
    {
      name: 'many slides',
      parameters: { operation: 'getSlides', presentationId: 'p', returnAll: true },
      answer: () => `{"slides":${manyObjects(900_000)}}`,
    },
    {
      name: 'a long address',
      parameters: { operation: 'get', presentationId: 'https://docs.google.com/presentation/'.repeat(200_000) },
      answer: () => '{}',
    },
  ],
};
