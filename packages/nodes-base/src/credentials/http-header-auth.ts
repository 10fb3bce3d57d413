import { defineCredentialType } from '@sluice/node-sdk';
import { secret, testUrl, text } from './shared/properties.ts';
import { ownUrlTest } from './shared/service-test.ts';

const authenticate = { headers: { '{name}': '{value}' } };

export const httpHeaderAuth = defineCredentialType({
  name: 'httpHeaderAuth',
  displayName: 'Header Auth',
  properties: [
    text('name', 'Name', { keepsSecrets: true, required: true, description: 'Header name' }),
    secret('value', 'Value', { required: true }),
    testUrl,
  ],
  authenticate,
  test: ownUrlTest({ authenticate }),
});
