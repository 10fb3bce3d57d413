import type { Attacks } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  'google-translate': () => [
    {
      name: 'a large text',
      parameters: { text: 'ä'.repeat(15_000_000), translateTo: 'de' },
      answer: () => '{"data":{"translations":[{"translatedText":"x"}]}}',
    },
  ],
};
