import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Starts an evaluation with the test cases in a sheet.',
  needs: 'a Google account with access to the document, connected by OAuth2, or a service account with which it is shared',
  notes:
    'Run the workflow from this node: name it in `startNodes`. Each row has its own execution, one after the other; a failed one does not stop the others. The execution that was started evaluates the last row, and the others are its sub-executions. A run up to this node only outputs the first row.',
  parameters: {
    documentId: { __rl: true, mode: 'id', value: 'doc1' },
    sheetName: { __rl: true, mode: 'name', value: 'People' },
  },
  outputs: [[{ row_number: 2, Name: 'Ada', Age: 36 }]],
};
