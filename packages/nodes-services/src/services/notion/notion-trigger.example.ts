import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Starts the workflow for each new page of a database.',
  needs:
    'an internal integration (notion.so/profile/integrations → New integration) with the capability to read content, its secret in a credential, and the database connected to it (••• → Connections)',
  notes:
    'Notion times have a resolution of one minute. A changed page therefore starts an execution after its minute is over; several changes within a minute start one execution. A change in the minute of the activation also starts an execution. Notion accepts about 3 requests per second; after more, the poll waits.',
  parameters: {
    pollTimes: { item: [{ mode: 'everyMinute' }] },
    event: 'pageAddedToDatabase',
    databaseId: { __rl: true, mode: 'id', value: '0123456789abcdef0123456789abcdef' },
    simple: false,
  },
};
