import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'A document becomes JSON.',
  parameters: {},
  inputs: [[{ data: '<order id="7"><line>pen</line><line>ink</line></order>' }]],
  outputs: [[{ order: { id: '7', line: ['pen', 'ink'] } }]],
};
