import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Outputs a metric for each item.',
  needs:
    'to write outputs: a Google account with access to the document, connected by OAuth2, or a service account with which it is shared',
  notes:
    'Enable the Google Sheets API in the Google Cloud console, and add the scope `spreadsheets` to the consent screen. "Set Outputs" finds the row of an item by the Evaluation Trigger that it comes from; in other executions it writes nothing.',
  parameters: {
    operation: 'setMetrics',
    metrics: { assignments: [{ id: '1', name: 'score', type: 'number', value: '={{ $json.score }}' }] },
  },
  inputs: [[{ score: 4, text: 'good' }]],
  outputs: [[{ score: 4 }]],
};
