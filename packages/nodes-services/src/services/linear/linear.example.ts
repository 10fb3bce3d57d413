import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Creates an urgent issue.',
  needs:
    'a Linear account, and a personal API key (Settings → Security & access), or an OAuth application (Settings → API) with the redirect URL of this service and the scopes `read` and `write`',
  notes:
    'Linear allows 5,000 requests per hour and user, and the node waits for up to a minute when it reaches the limit. IDs of issues may be identifiers, such as `ENG-123`. Versions 1 and 1.1 do the same.',
  parameters: { teamId: 't1', title: 'Checkout fails', additionalFields: { priorityId: 1, description: 'Since noon' } },
  inputs: [[{}]],
  outputs: [[{ id: 'i1', identifier: 'ENG-1', title: 'Checkout fails', priority: 1, description: 'Since noon' }]],
};
