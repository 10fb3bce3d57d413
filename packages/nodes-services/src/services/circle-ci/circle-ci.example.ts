import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Starts a pipeline for a branch.',
  needs: 'a CircleCI account and a personal API token (User Settings → Personal API Tokens)',
  notes:
    'A trigger returns at once, before the workflows of the pipeline have run. Projects that use the GitHub App or GitLab have the provider “CircleCI”, and IDs instead of names in their slug.',
  parameters: { vcs: 'github', projectSlug: 'acme/shop', operation: 'trigger', additionalFields: { branch: 'main' } },
  inputs: [[{}]],
  outputs: [[{ id: 'p1', number: 25, state: 'pending' }]],
};
