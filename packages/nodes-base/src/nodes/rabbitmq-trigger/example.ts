import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'Each order of a queue, parsed from its JSON.',
  needs: 'a message',
  parameters: { queue: 'orders', options: { jsonParseBody: true, onlyContent: true } },
  outputs: [[{ order: 7 }]],
};
