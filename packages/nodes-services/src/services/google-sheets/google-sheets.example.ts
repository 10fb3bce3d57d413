import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Adds a row for each item, below the last one.',
  needs: 'a Google account with access to the document, connected by OAuth2, or a service account with which it is shared',
  notes:
    'Enable the Google Sheets API in the Google Cloud console. The list of documents also needs the Google Drive API. Add the scopes `spreadsheets`, `drive.file`, and `drive.metadata` to the consent screen. The first row of the sheet contains the column names. The node sends the rows of all items in one request. Executions can add rows concurrently without overwriting each other. Google allows 60 requests per minute and user, and the node waits when it reaches the limit.',
  parameters: {
    operation: 'append',
    documentId: { __rl: true, mode: 'id', value: 'doc1' },
    sheetName: { __rl: true, mode: 'name', value: 'People' },
    columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: [] },
    options: {},
  },
  inputs: [[{ Name: 'Ada', Age: 36 }]],
  outputs: [[{ Name: 'Ada', Age: 36 }]],
};
