import type { Attacks } from '../../../testing/attack.ts';

const numbers = { from: '1', to: '2' };

export const attacks: Attacks = {
  plivo: () => [
    { name: 'a long message', parameters: { ...numbers, message: '\u0000"'.repeat(5_000_000) }, answer: () => '{}' },
    {
      name: 'many media',
      parameters: { ...numbers, resource: 'mms', media_urls: 'https://x.example/a,'.repeat(300_000) },
      answer: () => '{}',
    },
  ],
};
