import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'Each order of a topic, parsed from its JSON.',
  needs: 'a message',
  parameters: { topic: 'orders', groupId: 'sluice', options: { jsonParseMessage: true } },
  outputs: [[{ message: { order: 7 }, topic: 'orders' }]],
};
