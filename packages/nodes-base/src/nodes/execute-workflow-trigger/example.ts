import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'A workflow that is called with an `id` and a `limit`; in a manual run, both are null.',
  typeVersion: 1.1,
  parameters: { workflowInputs: { values: [{ name: 'id' }, { name: 'limit', type: 'number' }] } },
  outputs: [[{ id: null, limit: null }]],
};
