import { defineCredentialType } from '@sluice/node-sdk';
import { secret, testUrl, text } from './shared/properties.ts';
import { ownUrlTest } from './shared/service-test.ts';

const authenticate = { query: { '{name}': '{value}' } };

export const httpQueryAuth = defineCredentialType({
  name: 'httpQueryAuth',
  displayName: 'Query Auth',
  properties: [
    text('name', 'Name', { keepsSecrets: true, required: true, description: 'Query parameter name' }),
    secret('value', 'Value', { required: true }),
    testUrl,
  ],
  authenticate,
  test: ownUrlTest({ authenticate }),
});
