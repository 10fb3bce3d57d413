import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Creates a card for each item.',
  needs: 'a Power-Up with an API key (trello.com/power-ups/admin), a token of the account for it, and the ID of a list',
  notes: 'Trello accepts 100 requests per 10 seconds for a token; after more, the node waits.',
  parameters: {
    listId: 'list1',
    name: '={{ $json.title }}',
    description: '={{ $json.text }}',
    additionalFields: { due: '2026-02-01' },
  },
  inputs: [[{ title: 'Plan', text: 'Ask Ann' }]],
  outputs: [[{ id: 'card1', name: 'Plan' }]],
};
