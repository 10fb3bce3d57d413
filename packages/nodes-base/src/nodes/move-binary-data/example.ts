import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'The JSON of a file becomes the fields of the item.',
  parameters: {},
  inputs: [[{}]],
  files: { data: { fileName: 'order.json', text: '{ "order": 7, "lines": ["pen"] }' } },
  outputs: [[{ order: 7, lines: ['pen'] }]],
};
