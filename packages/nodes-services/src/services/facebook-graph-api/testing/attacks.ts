import { type Attacks, accepted } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  'facebook-graph-api': () => [
    {
      name: 'a long path',
      parameters: { node: '/ä'.repeat(5_000_000), options: { queryParametersJson: '' } },
      answer: accepted,
    },
    {
      name: 'long query parameters',
      parameters: { node: 'me', options: { queryParametersJson: JSON.stringify({ a: 'ä'.repeat(900_000) }) } },
      answer: accepted,
    },
  ],
};
