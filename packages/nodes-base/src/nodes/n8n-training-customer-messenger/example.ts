import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'Each customer has a message. Nothing is sent.',
  parameters: { customerId: '={{ $json.id }}', message: '=Hello {{ $json.name }}' },
  inputs: [[{ id: '23423532', name: 'Jay Gatsby' }]],
  outputs: [[{ output: 'Sent message to customer 23423532:  Hello Jay Gatsby' }]],
};
