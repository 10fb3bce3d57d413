import {
  type AuthenticateRequest,
  credentialText,
  defineCredentialType,
  type JsonObject,
  optionalCredentialText,
} from '@sluice/node-sdk';
import { withoutFinalSlashes } from '../shared/slashes.ts';
import { signedForAws } from './shared/aws-signature.ts';
import { hostOfAddress } from './shared/hosts-of-service.ts';
import { flag, secret, text } from './shared/properties.ts';
import { serviceTest } from './shared/service-test.ts';

const authenticate: AuthenticateRequest = (request, data, { now }) =>
  signedForAws(request, {
    service: 's3',
    region: optionalCredentialText(data, 'region', 'us-east-1').trim(),
    accessKeyId: credentialText(data, 'accessKeyId').trim(),
    secretAccessKey: credentialText(data, 'secretAccessKey').trim(),
    sessionToken: '',
    nowMs: now(),
  });

/** Any service that speaks S3. */
export const s3 = defineCredentialType({
  name: 's3',
  displayName: 'S3',
  properties: [
    text('endpoint', 'S3 Endpoint', { required: true }),
    text('region', 'Region', { initial: 'us-east-1' }),
    text('accessKeyId', 'Access Key ID', { keepsSecrets: true, required: true }),
    secret('secretAccessKey', 'Secret Access Key', { required: true }),
    flag('forcePathStyle', 'Force Path Style', { description: 'Whether buckets are named in the path, not in the host' }),
  ],
  authenticate,
  hosts,
  test: serviceTest({ authenticate }, { request: (data) => `${withoutFinalSlashes(credentialText(data, 'endpoint'))}/` }),
});

/** The endpoint, and the names below it: buckets may be named in the host. */
function hosts(data: JsonObject): string[] {
  return hostOfAddress(optionalCredentialText(data, 'endpoint')).flatMap((host) => [
    host,
    host.replace(/^(?:http:\/\/)?/, '$&*.'),
  ]);
}
