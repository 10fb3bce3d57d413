import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'A workflow that is called with an `id` and a `limit`; run by hand, it gets neither.',
  typeVersion: 1.1,
  parameters: { workflowInputs: { values: [{ name: 'id' }, { name: 'limit', type: 'number' }] } },
  outputs: [[{ id: null, limit: null }]],
};
