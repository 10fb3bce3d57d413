import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'All items become one.',
  parameters: { jsCode: 'return { count: items.length, names: items.map(({ json }) => json.name).join(", ") };' },
  inputs: [[{ name: 'Ada' }, { name: 'Tim' }]],
  outputs: [[{ count: 2, names: 'Ada, Tim' }]],
};
