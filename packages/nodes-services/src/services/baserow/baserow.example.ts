import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Creates a row for each item.',
  needs:
    'an account of Baserow (in the cloud or your own server), or better a database token (account menu → My settings → Database tokens) that may create, read, update, and delete rows of the table',
  notes:
    'Fields are named by their IDs or names; the node reads the fields of the table once for each run. Rows have the names of fields. The cloud accepts 10 requests at the same time; after more, the node waits. A batch writes at most 10,000 rows for an item, in requests of 200.',
  parameters: {
    operation: 'create',
    databaseId: 5,
    tableId: 9,
    fieldsUi: { fieldValues: [{ fieldId: 12, fieldValue: '={{ $json.name }}' }] },
  },
  inputs: [[{ name: 'Ada' }]],
  outputs: [[{ id: 1, order: '1.00', Name: 'Ada', Done: false }]],
};
