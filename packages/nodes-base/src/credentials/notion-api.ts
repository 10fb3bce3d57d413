import { type AuthenticateRequest, credentialText, defineCredentialType, withHeaders } from '@sluice/node-sdk';
import { secret } from './shared/properties.ts';
import { serviceTest } from './shared/service-test.ts';

/** Notion requires a version in each request; this is the default. */
const defaultVersion = '2022-06-28';

const authenticate: AuthenticateRequest = (request, data) => {
  const hasVersion = Object.keys(request.headers ?? {}).some((name) => name.toLowerCase() === 'notion-version');
  return withHeaders(request, [
    ['authorization', `Bearer ${credentialText(data, 'apiKey')}`],
    ...(hasVersion ? [] : [['notion-version', defaultVersion] as const]),
  ]);
};

export const notionApi = defineCredentialType({
  name: 'notionApi',
  displayName: 'Notion',
  documentation: 'https://developers.notion.com/reference/authentication',
  properties: [secret('apiKey', 'Internal Integration Secret', { required: true })],
  authenticate,
  hosts: ['api.notion.com'],
  test: serviceTest({ authenticate }, { request: () => 'https://api.notion.com/v1/users/me' }),
});
