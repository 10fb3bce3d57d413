import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'Each event of a stream, with its data as an object.',
  needs: 'an event',
  parameters: { url: 'https://example.com/events' },
  outputs: [[{ price: 5 }]],
};
