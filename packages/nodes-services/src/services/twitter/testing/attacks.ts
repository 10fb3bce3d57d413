import { type Attacks, accepted } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  twitter: () => [
    {
      name: 'many media',
      parameters: {
        resource: 'tweet',
        operation: 'create',
        text: 'x',
        additionalFields: { attachments: '1,'.repeat(7_000_000) },
      },
      answer: accepted,
    },
  ],
};
