import {
  AppError,
  type AuthenticateRequest,
  credentialText,
  defineCredentialType,
  type JsonObject,
  optionalCredentialText,
} from '@sluice/node-sdk';
import { withoutFinalSlashes } from '../shared/slashes.ts';
import { hostsOfService } from './shared/hosts-of-service.ts';
import { secret, text } from './shared/properties.ts';
import { serviceTest } from './shared/service-test.ts';

const publicAddress = 'https://api.telegram.org';

/**
 * Telegram expects the token in the path: `/getMe` becomes `/bot<token>/getMe`. A path with a token
 * is unchanged.
 */
const authenticate: AuthenticateRequest = (request, data) => {
  const url = new URL(request.url);
  const base = new URL(baseUrl(data));
  if (url.origin !== base.origin) {
    throw new AppError({ code: 'CREDENTIAL_UNUSABLE', message: `this credential is for ${base.origin} only` });
  }
  const prefix = withoutFinalSlashes(base.pathname);
  const method = url.pathname.startsWith(`${prefix}/`) ? url.pathname.slice(prefix.length) : url.pathname;
  const bot = `/bot${credentialText(data, 'accessToken').trim()}`;
  if (!method.startsWith(`${bot}/`)) {
    const file = method.startsWith('/file/');
    url.pathname = file ? `${prefix}/file${bot}${method.slice('/file'.length)}` : `${prefix}${bot}${method}`;
  }
  return { ...request, url: url.href };
};

export const telegramApi = defineCredentialType({
  name: 'telegramApi',
  displayName: 'Telegram',
  documentation: 'https://core.telegram.org/bots/api#authorizing-your-bot',
  properties: [
    secret('accessToken', 'Access Token', { required: true }),
    text('baseUrl', 'Base URL', { initial: publicAddress }),
  ],
  authenticate,
  hosts: (data) => hostsOfService(data, 'baseUrl', publicAddress),
  test: serviceTest({ authenticate }, { request: (data) => `${baseUrl(data)}/getMe` }),
});

function baseUrl(data: JsonObject): string {
  return withoutFinalSlashes(optionalCredentialText(data, 'baseUrl', publicAddress));
}
