import { defineCredentialType } from '@sluice/node-sdk';
import { secret, testUrl, text } from './shared/properties.ts';
import { ownUrlTest } from './shared/service-test.ts';

const user = { ...text('user', 'User', { required: true }), typeOptions: { allowEmpty: true, keepsSecrets: true } };

const authenticate = { basic: { user: '{user}', password: '{password}' } };

export const httpBasicAuth = defineCredentialType({
  name: 'httpBasicAuth',
  displayName: 'Basic Auth',
  documentation: 'https://www.rfc-editor.org/rfc/rfc7617',
  properties: [user, secret('password', 'Password'), testUrl],
  authenticate,
  test: ownUrlTest({ authenticate }),
});
