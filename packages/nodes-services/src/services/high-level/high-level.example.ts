import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Creates a contact for each item, or changes the contact with the email address.',
  needs:
    'a HighLevel sub-account, connected by OAuth2 with an app of the Marketplace (distribution type Sub-Account) that has the scopes of the credential',
  notes:
    'Uses version 2 of the API. The node works in the location that is chosen when the credential is connected. A contact of a task, an opportunity, or an appointment is named by its ID or by its email address. HighLevel accepts 100 requests per 10 seconds and 200,000 per day; after more per 10 seconds, the node waits. Version 1 of the node, which uses the discontinued API 1.0, is not supported.',
  parameters: {
    email: '={{ $json.email }}',
    additionalFields: { firstName: '={{ $json.name }}', tags: ['web'] },
  },
  inputs: [[{ email: 'ada@example.com', name: 'Ada' }]],
  outputs: [[{ id: 'c1', email: 'ada@example.com' }]],
};
