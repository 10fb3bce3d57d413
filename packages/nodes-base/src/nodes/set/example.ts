import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'A field is computed from others, which stay.',
  parameters: {
    assignments: { assignments: [{ name: 'total', type: 'number', value: '={{ $json.price * $json.count }}' }] },
    includeOtherFields: true,
  },
  inputs: [[{ price: 2.5, count: 4 }]],
  outputs: [[{ price: 2.5, count: 4, total: 10 }]],
};
