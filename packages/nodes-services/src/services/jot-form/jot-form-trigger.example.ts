import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Starts the workflow for each submission of a form, with the answers by question text.',
  needs: 'an API key of Jotform with full access (Settings → API), a form, and `PUBLIC_URL` with https',
  notes:
    'Jotform does not sign its requests: the address that the workflow registers at activation has a secret token, and requests without it are rejected. Free accounts may send 1,000 requests per day.',
  parameters: { form: '231', resolveData: true, onlyAnswers: true },
  outputs: [[{ 'Full Name': { first: 'Ada', last: 'Byron' }, Email: 'a@a.test' }]],
};
