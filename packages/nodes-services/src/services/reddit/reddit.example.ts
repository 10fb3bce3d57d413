import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Finds the newest posts about a word in a subreddit.',
  needs: 'an app at Reddit, and a connected account',
  notes: [
    'Setup: under [app preferences](https://www.reddit.com/prefs/apps), create a *web app* with the redirect URL of the credential,',
    'and store its client ID and secret. Scopes: `read`, `submit`, `edit`, `identity`, `history`, and `mysubreddits`, which the credential requests.',
    '',
    'Reddit limits: 100 requests per minute; a list ends after about 1,000 entries.',
  ].join('\n'),
  parameters: { operation: 'search', subreddit: 'sluice', keyword: 'queue', limit: 5, additionalFields: { sort: 'new' } },
  inputs: [[{}]],
  outputs: [[{ id: 'p1', title: 'Hello' }]],
};
