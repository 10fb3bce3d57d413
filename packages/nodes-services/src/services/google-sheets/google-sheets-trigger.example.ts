import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Starts the workflow for each row that is added to a sheet.',
  needs: 'a Google account with access to the document, connected by OAuth2',
  notes:
    'Enable the Google Sheets API and the Google Drive API in the Google Cloud console, and add the scopes `spreadsheets.readonly`, `drive.readonly`, and `drive.metadata.readonly` to the consent screen. A poll reads the sheet and compares it with marks of the rows of the last poll, of at most 60,000 rows. A row that moves, or that a deleted or inserted row shifts, starts nothing. Where rows are inserted alongside a changed one in the same minute, the upper row is reported as changed.',
  parameters: {
    pollTimes: { item: [{ mode: 'everyMinute' }] },
    documentId: { __rl: true, mode: 'id', value: 'doc1' },
    sheetName: { __rl: true, mode: 'name', value: 'People' },
    event: 'rowAdded',
    options: {},
  },
  outputs: [[{ row_number: 3, Name: 'Bob', Age: 40 }]],
};
