import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'An item that has no file, and what is said about it.',
  parameters: { binaryPropertyName: 'report' },
  inputs: [[{}]],
  error: 'item 0 has no file in "report"',
};
