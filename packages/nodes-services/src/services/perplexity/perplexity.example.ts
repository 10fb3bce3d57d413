import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Asks what is new, and outputs the answer with its sources.',
  needs: 'an API key of Perplexity: Settings → API Keys',
  notes:
    'The account needs credits, and keys have no scopes. The limits depend on the model and the tier of the account; after more requests, the node waits.',
  parameters: {
    model: 'sonar',
    messages: { message: [{ role: 'system', content: 'Be brief.' }, { content: 'Who won the race?' }] },
    simplify: true,
    options: { searchRecency: 'day' },
  },
  inputs: [[{}]],
  outputs: [[{ citations: ['https://example.com/race'], message: 'Ada won.' }]],
};
