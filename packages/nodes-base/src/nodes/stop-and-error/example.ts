import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'The execution ends with a custom message.',
  parameters: { errorMessage: '=no stock of {{ $json.sku }}' },
  inputs: [[{ sku: 'A-7' }]],
  error: 'no stock of A-7',
};
