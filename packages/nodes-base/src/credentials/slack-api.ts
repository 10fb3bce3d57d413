import { defineCredentialType } from '@sluice/node-sdk';
import { secret } from './shared/properties.ts';
import { serviceTest, textIn } from './shared/service-test.ts';

const authenticate = { headers: { Authorization: 'Bearer {accessToken}' } };

export const slackApi = defineCredentialType({
  name: 'slackApi',
  displayName: 'Slack',
  documentation: 'https://docs.slack.dev/authentication/tokens',
  properties: [
    secret('accessToken', 'Access Token', { required: true }),
    secret('signatureSecret', 'Signature Secret', { description: 'Verifies that requests come from Slack; for triggers' }),
  ],
  authenticate,
  hosts: ['slack.com', '*.slack.com'],
  test: serviceTest(
    { authenticate },
    {
      request: () => ({ method: 'POST', url: 'https://slack.com/api/auth.test' }),
      refusal: (body) => textIn(body, 'error'),
    },
  ),
});
