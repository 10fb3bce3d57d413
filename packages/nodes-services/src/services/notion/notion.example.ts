import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Creates a page in a database, with a status, a date, and a paragraph.',
  needs:
    'an internal integration (notion.so/profile/integrations → New integration) with the capabilities to read, update, and insert content, its secret in a credential, and the database connected to it (••• → Connections)',
  notes:
    'OAuth2 needs a public integration with the redirect URL that the credential shows. Notion accepts about 3 requests per second for an integration; after more, the node waits as long as Notion requests. Text above 2,000 characters and lists above 100 blocks are split. The API version is 2022-06-28: databases with several data sources are not supported.',
  parameters: {
    resource: 'databasePage',
    databaseId: { __rl: true, mode: 'url', value: 'https://www.notion.so/acme/0123456789abcdef0123456789abcdef?v=1' },
    title: '={{ $json.task }}',
    propertiesUi: {
      propertyValues: [
        { key: 'Status|status', statusValue: 'In progress' },
        { key: 'Due Date|date', includeTime: false, date: '={{ $json.due }}' },
      ],
    },
    blockUi: { blockValues: [{ textContent: 'Created by a workflow' }] },
  },
  inputs: [[{ task: 'Plan', due: '2026-02-01' }]],
};
