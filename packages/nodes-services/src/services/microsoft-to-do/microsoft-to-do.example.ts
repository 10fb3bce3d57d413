import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Adds a task to a list.',
  needs: 'an app registration at Microsoft Entra, and a connected account',
  notes:
    'Setup: as for the [Microsoft Outlook](microsoft-outlook.md) node, with the delegated permissions `Tasks.ReadWrite` and `offline_access`. Times without an offset are in the time zone of the workflow; To Do keeps only the day of a due date. The node waits as long as Microsoft requests.',
  parameters: {
    operation: 'create',
    taskListId: 'l1',
    title: 'Call Ada',
    additionalFields: { content: 'About the order', dueDateTime: '2026-01-31T00:00:00', importance: 'high' },
  },
  inputs: [[{}]],
  outputs: [
    [
      {
        id: 't1',
        title: 'Call Ada',
        importance: 'high',
        body: { contentType: 'html', content: 'About the order' },
        dueDateTime: { dateTime: '2026-01-31T00:00:00', timeZone: 'UTC' },
      },
    ],
  ],
};
