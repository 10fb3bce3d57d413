import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'An item without a file, and the resulting error.',
  parameters: { binaryPropertyName: 'report' },
  inputs: [[{}]],
  error: 'item 0 has no file in "report"',
};
