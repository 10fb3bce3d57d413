import { defineCredentialType } from '@sluice/node-sdk';
import { secret } from './shared/properties.ts';
import { serviceTest } from './shared/service-test.ts';

const authenticate = { headers: { Authorization: 'Bearer {accessToken}' } };

export const airtableTokenApi = defineCredentialType({
  name: 'airtableTokenApi',
  displayName: 'Airtable Personal Access Token',
  documentation: 'https://airtable.com/developers/web/api/authentication',
  properties: [secret('accessToken', 'Access Token', { required: true })],
  authenticate,
  hosts: ['api.airtable.com', 'content.airtable.com'],
  test: serviceTest({ authenticate }, { request: () => 'https://api.airtable.com/v0/meta/whoami' }),
});
