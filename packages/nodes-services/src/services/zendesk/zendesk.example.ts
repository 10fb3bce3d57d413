import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Creates a ticket for each item.',
  needs:
    'an account of Zendesk, the email address of an agent, and an API token (Admin Center → Apps and integrations → APIs → API tokens)',
  notes:
    'An API token has no scopes: it has the permissions of its agent. A credential with OAuth2 requests the scopes `read` and `write`; enter its redirect URL in an OAuth client (Admin Center → Apps and integrations → APIs → OAuth Clients). A list of all tickets is not sorted: Zendesk sorts at most 1,000. Zendesk accepts 200 to 2,500 requests per minute, by plan; after more, the node waits.',
  parameters: {
    description: '={{ $json.text }}',
    additionalFields: { subject: '={{ $json.title }}', tags: ['web'] },
  },
  inputs: [[{ title: 'Broken', text: 'It does not start' }]],
  outputs: [[{ id: 35, subject: 'Broken' }]],
};
