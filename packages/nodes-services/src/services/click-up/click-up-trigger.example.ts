import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Starts when a task is created, or gets another status.',
  needs: 'a personal API token of ClickUp (Settings → Apps → API Token), or OAuth2; and the ID of the team',
  notes:
    'Activation registers a webhook in ClickUp, and deactivation removes it. ClickUp signs its requests with a secret that only this workflow knows; others are refused with 401. With filters, the narrowest place counts.',
  parameters: { team: 'w1', events: ['taskCreated', 'taskStatusUpdated'], filters: { listId: 'l1' } },
  outputs: [
    [
      {
        event: 'taskCreated',
        history_items: [{ id: 'h1', type: 1, field: 'status' }],
        task_id: 't1',
        webhook_id: 'wh1',
      },
    ],
  ],
};
