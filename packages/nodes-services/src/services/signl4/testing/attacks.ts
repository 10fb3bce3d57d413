import type { Attacks } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  signl4: () => [
    { name: 'a long message', parameters: { message: '\u0000"'.repeat(5_000_000) }, answer: () => '{"eventId":"1"}' },
  ],
};
