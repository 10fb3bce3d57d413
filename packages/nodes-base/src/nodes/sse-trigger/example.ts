import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'Each event of a stream, as the object that its data are.',
  needs: 'an event',
  parameters: { url: 'https://example.com/events' },
  outputs: [[{ price: 5 }]],
};
