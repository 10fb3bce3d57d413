import { type Attacks, manyObjects } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  perplexity: () => [
    {
      name: 'many answers',
      parameters: { messages: { message: [{ content: 'a' }] }, simplify: true },
      answer: () => `{"choices":${manyObjects(1_000_000)},"citations":${manyObjects(1_000_000)}}`,
    },
  ],
};
