import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Starts the workflow for each new record. The table has the field `Created` of the type "Created time".',
  needs: 'a personal access token with the scope `data.records:read` and access to the base',
  notes: [
    'Create the token under **Builder hub > Personal access tokens**. The lists of bases and tables in the editor also need `schema.bases:read`. For changed records, choose a field of',
    'the type "Last modified time". Airtable accepts 5 requests per second for a base; after more, the node waits 30 seconds.',
  ].join('\n'),
  parameters: {
    pollTimes: { item: [{ mode: 'everyMinute' }] },
    authentication: 'airtableTokenApi',
    baseId: { __rl: true, mode: 'id', value: 'app1' },
    tableId: { __rl: true, mode: 'id', value: 'tbl1' },
    triggerField: 'Created',
  },
  outputs: [
    [
      {
        id: 'rec2',
        createdTime: '2026-01-02T00:00:00.000Z',
        fields: { Name: 'Bob', Created: '2026-01-02T00:00:00.000Z' },
      },
    ],
  ],
};
