import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Starts the workflow for each change of a merge request.',
  needs:
    'an access token with the scope `api` of an account with the role Maintainer in the project, and `PUBLIC_URL` with https',
  notes:
    'The webhook is registered when the workflow is activated and removed when it is deactivated. Requests without its secret token are rejected. A delivery that GitLab repeats within 24 hours starts nothing if the first one started an execution.',
  parameters: { owner: 'acme', repository: 'app', events: ['merge_requests'] },
  outputs: [
    [
      {
        body: { object_kind: 'merge_request', project: { path_with_namespace: 'acme/app' } },
        headers: { 'x-gitlab-event': 'Merge Request Hook' },
        query: {},
      },
    ],
  ],
};
