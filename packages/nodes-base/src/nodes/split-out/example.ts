import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'An order is split into its lines, each with the order’s number.',
  parameters: { fieldToSplitOut: 'lines', include: 'selectedOtherFields', fieldsToInclude: 'order' },
  inputs: [[{ order: 7, lines: ['pen', 'ink'], note: 'gift' }]],
  outputs: [
    [
      { order: 7, lines: 'pen' },
      { order: 7, lines: 'ink' },
    ],
  ],
};
