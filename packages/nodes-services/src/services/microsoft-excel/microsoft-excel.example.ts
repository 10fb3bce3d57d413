import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Adds a row for each item; fields with column names are written.',
  needs: 'an app registration at Microsoft Entra, a connected account, and a workbook (`.xlsx`) in its OneDrive',
  notes: [
    'Setup: register an app in the [Entra admin center](https://entra.microsoft.com) with the redirect URL of the credential as a **Web** platform,',
    'the delegated permissions `Files.ReadWrite` and `offline_access`, and a client secret; store ID and secret in the credential.',
    '',
    'The ID of a workbook is that of its file in OneDrive. Names of columns are in the first row. In an empty worksheet, the fields of the items',
    'become columns; otherwise fields without a column are left out. Rows that two executions append to a worksheet at the same time can overwrite',
    'each other: use a table for that. Excel reads text as a user types it: text that begins with `=` becomes a formula.',
    '',
    'Limits: at most 5,000,000 cells in a run. The node waits as long as Microsoft requests.',
  ].join('\n'),
  parameters: {
    resource: 'worksheet',
    operation: 'append',
    workbook: { __rl: true, mode: 'id', value: 'wb1' },
    worksheet: { __rl: true, mode: 'id', value: 'Sheet1' },
    dataMode: 'autoMap',
  },
  inputs: [[{ Name: 'Bob', Age: 40, id: 7 }]],
  outputs: [[{ Name: 'Bob', Age: 40 }]],
};
