import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Creates a post of the connected member.',
  needs: 'an app at LinkedIn with the products *Share on LinkedIn* and *Sign In with LinkedIn using OpenID Connect*',
  notes: [
    'Setup: create an [app](https://www.linkedin.com/developers/apps), add the products, enter the redirect URL of the credential under **Auth**,',
    'and store the client ID and secret. Posts of organizations need the product *Community Management API* (scope `w_organization_social`),',
    'and a member who administers the organization; without it, turn off **Organization Support** in the credential.',
    '',
    'LinkedIn limits: 3,000 characters; 150 posts per day and member. Requests use API version 202601. `@` mentions are sent as text; hashtags work.',
  ].join('\n'),
  parameters: { postAs: 'person', person: 'p1', text: 'Hello (world)', additionalFields: { visibility: 'PUBLIC' } },
  inputs: [[{}]],
  outputs: [[{ urn: 'urn:li:share:1' }]],
};
