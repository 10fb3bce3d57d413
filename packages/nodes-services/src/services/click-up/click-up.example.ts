import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Creates a task for each item.',
  needs: 'a personal API token of ClickUp (Settings → Apps → API Token), and the ID of a list',
  notes:
    'Operations: tasks, lists, folders, and reading time entries. ClickUp accepts 100 requests per minute for a token of a free workspace; after more, the node waits up to a minute.',
  parameters: {
    folderless: true,
    list: 'l1',
    name: '={{ $json.title }}',
    additionalFields: { content: '={{ $json.text }}', dueDate: '2026-02-01T00:00:00Z', priority: 2 },
  },
  inputs: [[{ title: 'Plan', text: 'Ask Ann' }]],
  outputs: [[{ id: 't1', name: 'Plan' }]],
};
