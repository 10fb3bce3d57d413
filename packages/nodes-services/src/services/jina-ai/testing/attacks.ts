import { type Attacks, manyObjects } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  'jina-ai': () => [
    {
      name: 'many results',
      parameters: { operation: 'search', searchQuery: 'x' },
      answer: () => `{"data":${manyObjects(900_000)}}`,
    },
    {
      name: 'a long answer',
      parameters: { resource: 'research', researchQuery: 'x' },
      answer: () => `{"choices":[{"message":{"content":"${'x'.repeat(8_000_000)}","annotations":${manyObjects(500_000)}}}]}`,
    },
  ],
};
