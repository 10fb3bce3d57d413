import { defineCredentialType, optionalCredentialText } from '@sluice/node-sdk';
import { withoutFinalSlashes } from '../shared/slashes.ts';
import { hostsOfService } from './shared/hosts-of-service.ts';
import { secret, text } from './shared/properties.ts';
import { serviceTest } from './shared/service-test.ts';

const publicAddress = 'https://api.github.com';

const authenticate = { headers: { Authorization: 'token {accessToken}' } };

export const githubApi = defineCredentialType({
  name: 'githubApi',
  displayName: 'GitHub',
  documentation: 'https://docs.github.com/rest/authentication/authenticating-to-the-rest-api',
  properties: [
    text('server', 'GitHub Server', { initial: publicAddress, description: 'Of GitHub Enterprise: `https://<host>/api/v3`' }),
    text('user', 'User', { keepsSecrets: true }),
    secret('accessToken', 'Access Token', { required: true }),
  ],
  authenticate,
  hosts: (data) => hostsOfService(data, 'server', publicAddress, ['uploads.github.com', 'raw.githubusercontent.com']),
  test: serviceTest(
    { authenticate },
    { request: (data) => `${withoutFinalSlashes(optionalCredentialText(data, 'server', publicAddress))}/user` },
  ),
});
