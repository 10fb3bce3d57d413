import {
  AppError,
  type AuthenticateRequest,
  credentialText,
  defineCredentialType,
  type JsonObject,
  optionalCredentialText,
  ownProperty,
} from '@sluice/node-sdk';
import { withoutFinalSlashes } from '../shared/slashes.ts';
import { signedForAws } from './shared/aws-signature.ts';
import { hostOfAddress } from './shared/hosts-of-service.ts';
import { flag, secret, text } from './shared/properties.ts';
import { serviceTest } from './shared/service-test.ts';

/** Services that support a custom endpoint, and the field that holds it. */
const customEndpoints = [
  ['lambda', 'lambdaEndpoint', 'Lambda Endpoint'],
  ['sns', 'snsEndpoint', 'SNS Endpoint'],
  ['ses', 'sesEndpoint', 'SES Endpoint'],
  ['sqs', 'sqsEndpoint', 'SQS Endpoint'],
  ['s3', 's3Endpoint', 'S3 Endpoint'],
  ['ssm', 'ssmEndpoint', 'SSM Endpoint'],
  ['sts', 'stsEndpoint', 'STS Endpoint'],
] as const;

const awsHost = /\.amazonaws\.com(?:\.cn)?$/;

/** Services whose signing name differs from the name in their host. */
const signingNames: readonly (readonly [host: RegExp, service: string])[] = [[/^bedrock(-agent)?(-runtime)?\./, 'bedrock']];

const authenticate: AuthenticateRequest = (request, data, { now }) =>
  signedForAws(request, {
    ...destination(new URL(request.url), data),
    accessKeyId: credentialText(data, 'accessKeyId').trim(),
    secretAccessKey: credentialText(data, 'secretAccessKey').trim(),
    sessionToken: isTemporary(data) ? credentialText(data, 'sessionToken').trim() : '',
    nowMs: now(),
  });

export const aws = defineCredentialType({
  name: 'aws',
  displayName: 'AWS',
  documentation: 'https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html',
  properties: [
    text('region', 'Region', { initial: 'us-east-1', required: true }),
    text('accessKeyId', 'Access Key ID', { keepsSecrets: true, required: true }),
    secret('secretAccessKey', 'Secret Access Key', { required: true }),
    flag('temporaryCredentials', 'Temporary Security Credentials'),
    secret('sessionToken', 'Session Token', { required: true, show: { temporaryCredentials: [true] } }),
    flag('customEndpoints', 'Custom Endpoints'),
    ...customEndpoints.map(([, field, displayName]) => text(field, displayName, { show: { customEndpoints: [true] } })),
  ],
  authenticate,
  hosts,
  test: serviceTest(
    { authenticate },
    {
      request: (data) => `${stsAddress(data)}/?Action=GetCallerIdentity&Version=2011-06-15`,
    },
  ),
});

/**
 * Service and region of a custom endpoint; both undefined for AWS hosts, whose names contain them.
 * Throws `CREDENTIAL_UNUSABLE` for other hosts: they must not receive a signature.
 */
function destination({ host, hostname }: URL, data: JsonObject): { service?: string; region?: string } {
  const region = credentialText(data, 'region').trim();
  const custom = customEndpoints.find(([, field]) => hostOf(customEndpoint(data, field, region)) === host);
  if (custom) return { service: custom[0], region };
  if (!awsHost.test(host)) {
    const message = `${hostname} is neither an AWS host nor a custom endpoint of the credential`;
    throw new AppError({ code: 'CREDENTIAL_UNUSABLE', message });
  }
  const service = signingNames.find(([pattern]) => pattern.test(host))?.[1];
  return service === undefined ? {} : { service };
}

function isTemporary(data: JsonObject): boolean {
  return ownProperty(data, 'temporaryCredentials') === true;
}

/** The endpoint with `{region}` replaced; empty if the credential contains no endpoint. */
function customEndpoint(data: JsonObject, field: string, region: string): string {
  if (ownProperty(data, 'customEndpoints') !== true) return '';
  return withoutFinalSlashes(optionalCredentialText(data, field).trim().replaceAll('{region}', region));
}

function hostOf(address: string): string | undefined {
  return URL.parse(address)?.host;
}

function stsAddress(data: JsonObject): string {
  const region = credentialText(data, 'region').trim();
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return customEndpoint(data, 'stsEndpoint', region) || `https://sts.${region}.${domain}`;
}

/** AWS hosts and the credential's custom endpoints. */
function hosts(data: JsonObject): string[] {
  const region = optionalCredentialText(data, 'region').trim();
  const own = customEndpoints.flatMap(([, field]) => hostOfAddress(customEndpoint(data, field, region)));
  return ['*.amazonaws.com', '*.amazonaws.com.cn', ...own];
}
