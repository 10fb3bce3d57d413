import { type Attacks, manyObjects } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  spotify: () => [
    {
      name: 'many tracks',
      parameters: { resource: 'playlist', operation: 'getTracks', id: 'p', returnAll: true },
      answer: () => `{"items":${manyObjects(300_000)},"next":"x"}`,
    },
    {
      name: 'a long link',
      parameters: { resource: 'track', operation: 'get', id: `https://open.spotify.com/${'/a'.repeat(5_000_000)}` },
      answer: () => '{}',
    },
  ],
};
