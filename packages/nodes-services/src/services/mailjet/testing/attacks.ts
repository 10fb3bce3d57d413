import { type Attacks, manyObjects } from '../../../testing/attack.ts';

const addresses = { fromEmail: 'a@b.example', toEmail: 'a@b.example' };

export const attacks: Attacks = {
  mailjet: () => [
    {
      name: 'many recipients',
      parameters: { ...addresses, toEmail: 'a@b.example,'.repeat(300_000), text: 'x' },
      answer: () => '{"Messages":[{}]}',
    },
    {
      name: 'many messages',
      parameters: { ...addresses, text: 'x' },
      answer: () => `{"Messages":${manyObjects(900_000)}}`,
    },
    {
      name: 'a long text',
      parameters: { ...addresses, html: '\u0000<'.repeat(4_000_000) },
      answer: () => '{"Messages":[{}]}',
    },
  ],
};
