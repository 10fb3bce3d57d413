import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Starts the workflow for each push to a repository.',
  needs:
    'a fine-grained personal access token with the permission "Webhooks: write" for the repository, or a classic one with the scope `admin:repo_hook`, and `PUBLIC_URL` with https',
  notes:
    'The webhook is registered when the workflow is activated and removed when it is deactivated. Requests without a valid GitHub signature are rejected. A redelivery within 24 hours starts nothing if the first delivery started an execution; retry that execution instead.',
  parameters: {
    owner: { __rl: true, mode: 'name', value: 'acme' },
    repository: { __rl: true, mode: 'name', value: 'app' },
    events: ['push'],
    options: {},
  },
  outputs: [
    [
      {
        body: { ref: 'refs/heads/main', repository: { full_name: 'acme/app' } },
        headers: { 'x-github-event': 'push' },
        query: {},
      },
    ],
  ],
};
