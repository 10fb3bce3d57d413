import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'A field computed from others, which are kept.',
  parameters: {
    assignments: { assignments: [{ name: 'total', type: 'number', value: '={{ $json.price * $json.count }}' }] },
    includeOtherFields: true,
  },
  inputs: [[{ price: 2.5, count: 4 }]],
  outputs: [[{ price: 2.5, count: 4, total: 10 }]],
};
