import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Starts the workflow for each submission of a form, with the answers by question.',
  needs:
    'a personal access token of Typeform (Account → Personal tokens) with the scopes `forms:read`, `webhooks:read`, and `webhooks:write`, a form, and `PUBLIC_URL` with https',
  notes:
    'The webhook is registered when the workflow is activated and removed when it is deactivated. Requests without a valid Typeform signature are rejected. A submission that Typeform sends again within 24 hours starts nothing.',
  parameters: { formId: 'abc', simplifyAnswers: true, onlyAnswers: true },
  outputs: [[{ 'Your name?': 'Ada', 'Which ones?': ['A', 'B'], 'Which one?': 'C', 'How many?': 5 }]],
};
