import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Creates a ticket for each message.',
  needs: 'a Freshdesk account and the API key of an agent (Profile settings → View API key)',
  notes:
    'An API key has the permissions of its agent. The fields of tickets and contacts have the names of the API. A list has only tickets of the last 30 days, unless Updated Since is set. Freshdesk limits the requests per minute, by plan; after more, the node waits.',
  parameters: {
    additionalFields: {
      email: '={{ $json.from }}',
      subject: '={{ $json.subject }}',
      description: '={{ $json.text }}',
      priority: 2,
    },
  },
  inputs: [[{ from: 'ada@example.com', subject: 'Broken', text: 'It does not start' }]],
  outputs: [[{ id: 1, subject: 'Broken', status: 2, priority: 2 }]],
};
