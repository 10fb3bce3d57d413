import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'Splitting out, as before it had a node of its own.',
  parameters: { fieldToSplitOut: 'lines' },
  inputs: [[{ lines: [{ sku: 'pen' }, { sku: 'ink' }] }]],
  outputs: [[{ sku: 'pen' }, { sku: 'ink' }]],
};
