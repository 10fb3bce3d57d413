import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Creates a record from the fields of each item.',
  needs: 'a personal access token with the scope `data.records:write` and access to the base',
  notes:
    'Lists for bases, tables, and columns also need `schema.bases:read`, reading records `data.records:read`. Airtable accepts 5 requests per second for a base; after more, the node waits 30 seconds.',
  parameters: {
    operation: 'create',
    base: { __rl: true, mode: 'id', value: 'app1' },
    table: { __rl: true, mode: 'name', value: 'People' },
    columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: [] },
    options: {},
  },
  inputs: [[{ Name: 'Ada', Age: 36 }]],
  outputs: [[{ id: 'rec1', createdTime: '2026-01-01T00:00:00.000Z', fields: { Name: 'Ada', Age: 36 } }]],
};
