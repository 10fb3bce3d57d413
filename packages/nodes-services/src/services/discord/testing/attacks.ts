import { type Attacks, accepted, manyObjects } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  discord: () => [
    {
      name: 'many embeds',
      parameters: {
        resource: 'message',
        channelId: '1',
        embeds: { values: Array.from({ length: 20_000 }, () => ({ title: 'x'.repeat(200), color: '#ff8800' })) },
      },
      answer: accepted,
    },
    {
      name: 'a long embed',
      parameters: {
        resource: 'message',
        channelId: '1',
        content: 'x'.repeat(15_000_000),
        embeds: { values: [{ inputMethod: 'json', json: `{"fields":${manyObjects(4_000_000)}}` }] },
      },
      answer: accepted,
    },
  ],
};
