import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Creates a task in a project.',
  needs:
    'an Asana account, and a personal access token (developer console → Personal access tokens), or an OAuth app of the developer console with the redirect URL of this service',
  notes:
    'Days are in the time zone of the workflow. Asana allows 150 requests per minute on free plans and 1,500 on paid ones, and the node waits when it reaches the limit. Tokens have no scopes: they have the permissions of their account. An OAuth app needs **Full permissions** under **OAuth > Permission scopes**, because the credential requests the scope `default`; for an app with single scopes, name them as custom scopes in the credential, such as `tasks:read`, `tasks:write`, and `projects:read`. Searching needs a paid plan.',
  parameters: {
    workspace: '11',
    name: 'Call Ada',
    otherProperties: { due_on: '2026-01-31', notes: 'About the order', projects: ['22'] },
  },
  inputs: [[{}]],
  outputs: [
    [
      {
        gid: '33',
        workspace: '11',
        name: 'Call Ada',
        due_on: '2026-01-31',
        notes: 'About the order',
        projects: ['22'],
      },
    ],
  ],
};
