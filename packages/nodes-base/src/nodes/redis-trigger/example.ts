import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'Each message on `orders.new`, parsed from its JSON.',
  needs: 'a message',
  parameters: { channels: 'orders.*', options: { jsonParseBody: true } },
  outputs: [[{ channel: 'orders.new', message: { order: 7 } }]],
};
