import {
  type AuthenticateRequest,
  credentialText,
  defineCredentialType,
  optionalCredentialText,
  ownProperty,
  withHeaders,
} from '@sluice/node-sdk';
import { withoutFinalSlashes } from '../shared/slashes.ts';
import { hostsOfService } from './shared/hosts-of-service.ts';
import { flag, secret, text } from './shared/properties.ts';
import { serviceTest } from './shared/service-test.ts';

const publicAddress = 'https://api.openai.com/v1';

const authenticate: AuthenticateRequest = (request, data) => {
  const organization = optionalCredentialText(data, 'organizationId');
  return withHeaders(request, [
    ['authorization', `Bearer ${credentialText(data, 'apiKey')}`],
    ...(organization === '' ? [] : [['openai-organization', organization] as const]),
    ...(ownProperty(data, 'header') === true
      ? [[credentialText(data, 'headerName'), credentialText(data, 'headerValue')] as const]
      : []),
  ]);
};

/** OpenAI and services with a compatible API. */
export const openAiApi = defineCredentialType({
  name: 'openAiApi',
  displayName: 'OpenAI',
  documentation: 'https://platform.openai.com/docs/api-reference/authentication',
  properties: [
    secret('apiKey', 'API Key', { required: true }),
    text('organizationId', 'Organization ID', { keepsSecrets: true }),
    text('url', 'Base URL', { initial: publicAddress }),
    flag('header', 'Add Custom Header'),
    text('headerName', 'Header Name', { required: true, show: { header: [true] } }),
    secret('headerValue', 'Header Value', { required: true, show: { header: [true] } }),
  ],
  authenticate,
  hosts: (data) => hostsOfService(data, 'url', publicAddress),
  test: serviceTest(
    { authenticate },
    { request: (data) => `${withoutFinalSlashes(optionalCredentialText(data, 'url', publicAddress))}/models` },
  ),
});
