import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Checks whether an email address can be delivered to.',
  needs: 'a Hunter account and its API key (Hunter → API)',
  notes:
    'Each request counts toward the plan of the account. A check may take a while: the node waits for up to a minute. Free plans return up to ten addresses of a domain at a time.',
  parameters: { operation: 'emailVerifier', email: 'ada@example.com' },
  inputs: [[{}]],
  outputs: [[{ status: 'valid', result: 'deliverable', score: 97, email: 'ada@example.com' }]],
};
