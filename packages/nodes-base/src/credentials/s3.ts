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

/** Any S3-compatible service. */
export const s3 = defineCredentialType({
  name: 's3',
  displayName: 'S3',
  properties: [
    text('endpoint', 'S3 Endpoint', { required: true }),
    text('region', 'Region', { initial: 'us-east-1' }),
    text('accessKeyId', 'Access Key ID', { keepsSecrets: true, required: true }),
    secret('secretAccessKey', 'Secret Access Key', { required: true }),
    flag('forcePathStyle', 'Force Path Style', {
      description: 'Whether the bucket name is in the path rather than in the host name',
    }),
  ],
  authenticate,
  hosts,
  test: serviceTest({ authenticate }, { request: (data) => `${withoutFinalSlashes(credentialText(data, 'endpoint'))}/` }),
});

/** The endpoint host and its subdomains, which may name buckets. */
function hosts(data: JsonObject): string[] {
  return hostOfAddress(optionalCredentialText(data, 'endpoint')).flatMap((host) => [
    host,
    host.replace(/^(?:http:\/\/)?/, '$&*.'),
  ]);
}
