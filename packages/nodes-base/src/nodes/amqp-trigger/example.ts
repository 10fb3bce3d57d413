import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'Each order of a queue, parsed from its JSON.',
  needs: 'a message',
  parameters: { sink: 'orders', options: { jsonParseBody: true, onlyBody: true } },
  outputs: [[{ order: 7 }]],
};
