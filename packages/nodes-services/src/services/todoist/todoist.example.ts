import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Creates a task that is due in the morning.',
  needs: 'an API token of Todoist (Settings → Integrations → Developer), and the ID of a project',
  notes:
    'Uses API v1, whose IDs are text: numeric IDs of earlier workflows are refused. Times without an offset are in the time zone of the workflow. Todoist allows 1,000 requests per 15 minutes and user; the node waits for a minute at most.',
  parameters: {
    project: { __rl: true, mode: 'id', value: '6P79Pc' },
    content: 'Call Ada',
    options: { dueDateTime: '2026-01-31T09:00:00Z', priority: 3 },
  },
  inputs: [[{}]],
  outputs: [[{ id: 't1', content: 'Call Ada', project_id: '6P79Pc', priority: 3 }]],
};
