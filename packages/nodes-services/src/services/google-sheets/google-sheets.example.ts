import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Adds a row for each item, below the last one.',
  needs: 'a Google account with access to the document, connected by OAuth2, or a service account with which it is shared',
  notes:
    'In the Google Cloud console, enable the Google Sheets API, and the Google Drive API for the list of documents. The first row of the sheet has the names of the columns. All items are written by one request; two executions that add rows at the same time do not overwrite each other. Google allows 60 requests per minute and user; the node waits when it is told to.',
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
