import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Creates a person for each item.',
  needs:
    'an account of Pipedrive and its API token (account menu → Company settings → Personal preferences → API), or an app of the Developer Hub with the scopes `contacts:full`, `deals:full`, `leads:full`, and `activities:full`',
  notes:
    'Requests use version 2 of the API where it exists: Pipedrive has removed the older endpoints. In version 1 of the node, custom properties, `email`, `phone`, and `user_id` are also under the names of version 1 of the API; in version 2, custom properties are in `custom_fields` only. Owners and organizations are IDs without their names. Accounts have a daily budget of requests and a limit for 2 seconds, by plan; after more, the node waits as long as Pipedrive requests, at most a minute.',
  parameters: {
    resource: 'person',
    operation: 'create',
    name: '={{ $json.name }}',
    additionalFields: { email: ['={{ $json.email }}'], org_id: 5 },
  },
  inputs: [[{ name: 'Ada', email: 'ada@example.com' }]],
  outputs: [[{ id: 7, name: 'Ada' }]],
};
