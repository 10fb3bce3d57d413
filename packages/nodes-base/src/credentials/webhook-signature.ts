import {
  AppError,
  credentialText,
  defineCredentialType,
  errorMessage,
  type JsonObject,
  optionalCredentialText,
} from '@sluice/node-sdk';
import { choice, secret, text, wholeNumber } from './shared/properties.ts';
import { succeeded } from './shared/service-test.ts';

/** How requests are signed. Header names are in lower case. */
export interface SignatureRule {
  key: Buffer;
  algorithm: 'sha1' | 'sha256' | 'sha512';
  encoding: 'base64' | 'hex';
  header: string;
  /** Prefix of each signature in the header. */
  prefix: string;
  /** Whether the header may contain several signatures, separated by spaces. */
  several: boolean;
  /**
   * Template of the signed text: `{id}`, `{timestamp}`, and one `{body}` are replaced by values of
   * the request.
   */
  content: string;
  idHeader?: string;
  timestampHeader?: string;
  /** Maximum clock difference in milliseconds, in either direction. */
  toleranceMs: number;
}

const custom = { scheme: ['custom'] };
const defaultToleranceS = 300;

export const webhookSignature = defineCredentialType({
  name: 'webhookSignature',
  displayName: 'Webhook Signature',
  documentation: 'https://www.standardwebhooks.com',
  properties: [
    choice('scheme', 'Scheme', [
      ['standard', 'Standard Webhooks'],
      ['custom', 'Custom HMAC'],
    ]),
    secret('secret', 'Secret', {
      required: true,
      description: 'The shared secret. For Standard Webhooks: base64, usually after the prefix whsec_',
    }),
    text('header', 'Signature Header', {
      initial: 'X-Hub-Signature-256',
      show: custom,
      description: 'Header that contains the signature',
    }),
    choice(
      'algorithm',
      'Algorithm',
      [
        ['sha256', 'SHA-256'],
        ['sha512', 'SHA-512'],
        ['sha1', 'SHA-1'],
      ],
      { show: custom },
    ),
    choice(
      'encoding',
      'Encoding',
      [
        ['hex', 'Hex'],
        ['base64', 'Base64'],
      ],
      { show: custom },
    ),
    text('prefix', 'Prefix', { show: custom, description: 'Prefix of the signature in its header, such as sha256=' }),
    text('timestampHeader', 'Timestamp Header', {
      show: custom,
      description:
        'Header with the signature time, in seconds since 1970. Requests with the same signature are then accepted only once. If empty, an intercepted request can be repeated',
    }),
    text('signedContent', 'Signed Content', {
      initial: '{body}',
      show: custom,
      description: 'Template of the signed text, with the request’s {body} and {timestamp}. For example v0:{timestamp}:{body}',
    }),
    wholeNumber('toleranceSeconds', 'Tolerance (Seconds)', defaultToleranceS, [1, 86_400], {
      description: 'Maximum clock difference, in either direction',
    }),
  ],
  problemOf: signatureProblem,
  // Without a service to contact, checks only that requests could be verified.
  test: async (data) => {
    signatureRule(data);
    return succeeded('requests can be verified with the secret');
  },
});

/**
 * Minimum secret length in bytes: a shorter secret can be found by brute force from one intercepted
 * request.
 */
const minKeyBytes = 16;

function signatureProblem(data: JsonObject): string | undefined {
  try {
    const { key } = signatureRule(data);
    return key.length < minKeyBytes ? `the secret must have at least ${minKeyBytes} bytes` : undefined;
  } catch (error) {
    return errorMessage(error);
  }
}

/**
 * Reads a credential's rule. Throws `CREDENTIAL_UNUSABLE` for a rule that would accept forged
 * requests.
 */
export function signatureRule(data: JsonObject): SignatureRule {
  const toleranceMs = toleranceOf(data) * 1000;
  if (optionalCredentialText(data, 'scheme', 'standard') === 'standard') return { ...standardRule(data), toleranceMs };
  const timestampHeader = optionalCredentialText(data, 'timestampHeader').trim().toLowerCase();
  const content = optionalCredentialText(data, 'signedContent', '{body}');
  if (content.split('{body}').length !== 2) throw unusable('the signed text must contain {body} exactly once');
  if ((timestampHeader !== '') !== content.includes('{timestamp}'))
    throw unusable('a timestamp needs its header and must be signed');
  return {
    key: Buffer.from(credentialText(data, 'secret')),
    algorithm: oneOf(data, 'algorithm', ['sha256', 'sha512', 'sha1']),
    encoding: oneOf(data, 'encoding', ['hex', 'base64']),
    header: optionalCredentialText(data, 'header', 'X-Hub-Signature-256').trim().toLowerCase(),
    prefix: optionalCredentialText(data, 'prefix'),
    several: false,
    content,
    ...(timestampHeader !== '' && { timestampHeader }),
    toleranceMs,
  };
}

function standardRule(data: JsonObject): Omit<SignatureRule, 'toleranceMs'> {
  const secret = credentialText(data, 'secret').replace(/^whsec_/, '');
  if (!/^[\w+/-]+={0,2}$/.test(secret)) throw unusable('the secret is not base64');
  const key = Buffer.from(secret, 'base64');
  return {
    key,
    algorithm: 'sha256',
    encoding: 'base64',
    header: 'webhook-signature',
    prefix: 'v1,',
    several: true,
    content: '{id}.{timestamp}.{body}',
    idHeader: 'webhook-id',
    timestampHeader: 'webhook-timestamp',
  };
}

function toleranceOf({ toleranceSeconds }: JsonObject): number {
  const seconds = Number(toleranceSeconds ?? defaultToleranceS);
  if (seconds >= 1 && seconds <= 86_400) return seconds;
  throw unusable('the tolerance must be between 1 and 86400 seconds');
}

function oneOf<T extends string>(data: JsonObject, field: string, values: readonly [T, ...T[]]): T {
  const selected = optionalCredentialText(data, field, values[0]);
  const value = values.find((candidate) => candidate === selected);
  if (value !== undefined) return value;
  throw unusable(`"${field}" must be one of ${values.join(', ')}`);
}

function unusable(message: string): AppError {
  return new AppError({ code: 'CREDENTIAL_UNUSABLE', message });
}
