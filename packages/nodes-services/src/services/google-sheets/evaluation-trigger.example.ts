import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Starts an evaluation with the test cases in a sheet.',
  needs: 'a Google account with access to the document, connected by OAuth2, or a service account with which it is shared',
  notes:
    'Run the workflow from this node: name it in `startNodes`. All rows are items of one execution; n8n starts one execution for each row. So steps before an Evaluation node refer to the item (`.item`), not to the first one (`.first()`).',
  parameters: {
    documentId: { __rl: true, mode: 'id', value: 'doc1' },
    sheetName: { __rl: true, mode: 'name', value: 'People' },
  },
  outputs: [[{ row_number: 2, Name: 'Ada', Age: 36 }]],
};
