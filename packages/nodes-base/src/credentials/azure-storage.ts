import {
  type AuthenticateRequest,
  credentialText,
  defineCredentialType,
  type JsonObject,
  optionalCredentialText,
  withHeaders,
} from '@sluice/node-sdk';
import { withoutFinalSlashes } from '../shared/slashes.ts';
import { sharedKeyAuthorization } from './shared/azure-shared-key.ts';
import { hostOfAddress } from './shared/hosts-of-service.ts';
import { secret, text } from './shared/properties.ts';
import { serviceTest } from './shared/service-test.ts';

/** API version of requests that do not set one. */
const serviceVersion = '2021-12-02';

const authenticate: AuthenticateRequest = (request, data, { now }) => {
  const names = new Set(Object.keys(request.headers ?? {}).map((name) => name.toLowerCase()));
  const dated = withHeaders(request, [
    ['x-ms-date', new Date(now()).toUTCString()],
    ...(names.has('x-ms-version') ? [] : [['x-ms-version', serviceVersion] as const]),
  ]);
  const authorization = sharedKeyAuthorization(dated, credentialText(data, 'account'), credentialText(data, 'key'));
  return withHeaders(dated, [['authorization', authorization]]);
};

export const azureStorage = defineCredentialType({
  name: 'azureStorage',
  displayName: 'Azure Storage Shared Key',
  documentation: 'https://learn.microsoft.com/rest/api/storageservices/authorize-with-shared-key',
  properties: [
    text('account', 'Account', { required: true }),
    secret('key', 'Key', { required: true }),
    text('baseUrl', 'Base URL', { description: 'Default: the account’s endpoint in the public cloud' }),
  ],
  authenticate,
  hosts,
  test: serviceTest({ authenticate }, { request: (data) => `${baseUrl(data)}/?comp=list&maxresults=1` }),
});

function baseUrl(data: JsonObject): string {
  const account = credentialText(data, 'account');
  return withoutFinalSlashes(optionalCredentialText(data, 'baseUrl', `https://${account}.blob.core.windows.net`));
}

/** The account's services: blobs, queues, tables, and files. */
function hosts(data: JsonObject): string[] {
  const account = optionalCredentialText(data, 'account');
  const configured = optionalCredentialText(data, 'baseUrl');
  if (configured !== '') return hostOfAddress(configured);
  return ['blob', 'queue', 'table', 'file', 'dfs'].map((service) => `${account}.${service}.core.windows.net`);
}
