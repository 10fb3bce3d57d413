import { defineCredentialType } from '@sluice/node-sdk';
import { secret, testUrl } from './shared/properties.ts';
import { ownUrlTest } from './shared/service-test.ts';

const authenticate = { headers: { Authorization: 'Bearer {token}' } };

export const httpBearerAuth = defineCredentialType({
  name: 'httpBearerAuth',
  displayName: 'Bearer Auth',
  documentation: 'https://www.rfc-editor.org/rfc/rfc6750',
  properties: [secret('token', 'Bearer Token', { required: true }), testUrl],
  authenticate,
  test: ownUrlTest({ authenticate }),
});
