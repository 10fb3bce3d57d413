import { type Attacks, manyObjects } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  'deep-l': () => [
    {
      name: 'many translations',
      parameters: { text: 'x', translateTo: 'FR' },
      answer: () => `{"translations":${manyObjects(900_000)}}`,
    },
    {
      name: 'a long text',
      parameters: { text: '\u0000"'.repeat(5_000_000), translateTo: ' '.repeat(1_000_000).concat('fr') },
      answer: () => '{"translations":[]}',
    },
  ],
};
