import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Adds a task to the default list.',
  needs: 'a Google account, connected by OAuth2 with the scope `tasks`',
  notes:
    'Enable the Google Tasks API in the Google Cloud console. Times without an offset, and the day of a due date, are in the time zone of the workflow; Google does not store the time of a due date. Google allows 50,000 requests per day and project, and the node waits when it reaches the limit.',
  parameters: { task: '@default', title: 'Call Ada', additionalFields: { dueDate: '2026-01-31', notes: 'About the order' } },
  inputs: [[{}]],
  outputs: [[{ id: 't1', title: 'Call Ada', notes: 'About the order', due: '2026-01-31T00:00:00.000Z' }]],
};
