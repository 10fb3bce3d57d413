import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'The address of a person is stored; later runs change the same row.',
  needs: 'A data table "people" with the text columns "name" and "email"',
  notes:
    'The node uses only data tables of the workflow’s project. Limits: 100 tables, 100 columns, 5,000,000 rows in a table, and 1 GiB in a project.',
  parameters: {
    operation: 'upsert',
    dataTableId: { __rl: true, mode: 'name', value: 'people' },
    filters: { conditions: [{ keyName: 'name', keyValue: '={{ $json.name }}' }] },
    columns: { mappingMode: 'autoMapInputData' },
  },
  inputs: [[{ name: 'Ada', email: 'ada@example.com' }]],
  outputs: [[{ id: 1, createdAt: '…', updatedAt: '…', name: 'Ada', email: 'ada@example.com' }]],
};
