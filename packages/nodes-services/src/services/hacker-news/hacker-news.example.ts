import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Finds the newest story about a subject.',
  needs: 'no account',
  notes: 'The search of Hacker News allows 10,000 requests per hour and address.',
  parameters: { resource: 'all', limit: 1, additionalFields: { keyword: 'workflows', tags: ['story'] } },
  inputs: [[{}]],
  outputs: [[{ objectID: '1', title: 'Workflows at scale', author: 'ada', points: 42 }]],
};
