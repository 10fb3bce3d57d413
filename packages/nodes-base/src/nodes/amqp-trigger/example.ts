import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'Each order of a queue, as what its JSON says.',
  needs: 'a message',
  parameters: { sink: 'orders', options: { jsonParseBody: true, onlyBody: true } },
  outputs: [[{ order: 7 }]],
};
