import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'Splitting out, the predecessor of the Split Out node.',
  parameters: { fieldToSplitOut: 'lines' },
  inputs: [[{ lines: [{ sku: 'pen' }, { sku: 'ink' }] }]],
  outputs: [[{ sku: 'pen' }, { sku: 'ink' }]],
};
