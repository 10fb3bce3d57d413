import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'An archive `notes.zip` in the field `archive` of the files of the item; its fields stay.',
  parameters: { operation: 'compress', outputFormat: 'zip', fileName: 'notes.zip', binaryPropertyOutput: 'archive' },
  inputs: [[{ project: 'Sluice' }]],
  files: { data: { fileName: 'notes.txt', text: 'to be kept' } },
  outputs: [[{ project: 'Sluice' }]],
};
