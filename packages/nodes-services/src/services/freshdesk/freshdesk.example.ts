import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Creates a ticket for each item.',
  needs: 'an account of Freshdesk, and the API key of an agent (Profile Settings)',
  notes:
    'Uses version 2 of the API. The domain of the credential is that of `<domain>.freshdesk.com`. Agents, groups, companies, and products are IDs. A list of tickets has those of the last 30 days unless "Updated Since" is set, and at most 30,000. Freshdesk limits the requests per minute by plan; after more, the node waits.',
  parameters: {
    requester: 'email',
    requesterIdentificationValue: '={{ $json.email }}',
    status: 'open',
    priority: 'high',
    options: { subject: '={{ $json.title }}', description: '={{ $json.text }}', tags: ['web'] },
  },
  inputs: [[{ email: 'ada@example.com', title: 'Broken', text: 'It does not start' }]],
  outputs: [[{ id: 7, subject: 'Broken' }]],
};
