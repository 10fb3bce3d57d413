import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'What is published to `orders.new`, with the message as what its JSON says.',
  needs: 'a message',
  parameters: { channels: 'orders.*', options: { jsonParseBody: true } },
  outputs: [[{ channel: 'orders.new', message: { order: 7 } }]],
};
