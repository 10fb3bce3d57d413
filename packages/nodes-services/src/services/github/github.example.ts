import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Creates an issue for each item.',
  needs:
    'a fine-grained personal access token (Settings → Developer settings → Personal access tokens) with the permission "Issues: write" for the repository, or a classic one with the scope `repo`',
  notes:
    'Files need the permission "Contents", pull requests and reviews "Pull requests", workflows "Actions", traffic and license "Administration: read". GitHub accepts 5,000 requests per hour for a user, and limits bursts; the node waits as long as GitHub requests, up to a minute. GitHub Enterprise: set the server of the credential to `https://<host>/api/v3`.',
  parameters: {
    owner: { __rl: true, mode: 'name', value: 'acme' },
    repository: { __rl: true, mode: 'name', value: 'app' },
    title: '={{ $json.title }}',
    body: '={{ $json.text }}',
    labels: [{ label: 'bug' }],
    assignees: [],
  },
  inputs: [[{ title: 'Broken', text: 'It does not start' }]],
  outputs: [[{ number: 5, title: 'Broken' }]],
};
