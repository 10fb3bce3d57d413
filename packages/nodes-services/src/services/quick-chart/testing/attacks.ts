import { type Attacks, accepted } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  'quick-chart': () => [
    {
      name: 'many labels as text',
      parameters: { labelsMode: 'array', labelsArray: 'a,'.repeat(1_000_000), data: '[1]' },
      answer: accepted,
    },
    { name: 'much data', parameters: { data: `[${'1,'.repeat(400_000)}1]` }, answer: accepted },
  ],
};
