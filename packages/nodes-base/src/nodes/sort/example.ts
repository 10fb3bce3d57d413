import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'By name, ignoring case.',
  parameters: { sortFieldsUi: { sortField: [{ fieldName: 'name' }] } },
  inputs: [[{ name: 'tim' }, { name: 'Ada' }, {}]],
  outputs: [[{ name: 'Ada' }, { name: 'tim' }, {}]],
};
