import { createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';
import {
  type AuthenticateRequest,
  credentialText,
  defineCredentialType,
  type JsonObject,
  optionalCredentialText,
  type TestCredential,
  withHeaders,
} from '@sluice/node-sdk';
import { privateKeyOf, publicKeyOf } from '../shared/pem.ts';
import { choice, secret, secretBlock, text } from './shared/properties.ts';
import { succeeded } from './shared/service-test.ts';

/** Lifetime of a request's token, in seconds. */
const lifetimeS = 300;

export const jwtAlgorithms = [
  'HS256',
  'HS384',
  'HS512',
  'RS256',
  'RS384',
  'RS512',
  'ES256',
  'ES384',
  'ES512',
  'PS256',
  'PS384',
  'PS512',
];

/** Sends a new short-lived token as a bearer token. */
const authenticate: AuthenticateRequest = async (request, data, { now }) =>
  withHeaders(request, [['authorization', `Bearer ${await signedToken(data, now())}`]]);

/** Without a service to contact: signs a token and verifies it. */
const test: TestCredential = async (data, { now }) => {
  const { jwtVerify } = await import('jose');
  const token = await signedToken(data, now());
  await jwtVerify(token, verificationKey(data), { algorithms: [algorithmOf(data)], currentDate: new Date(now()) });
  return succeeded('a token signed with the key passes verification');
};

export const jwtAuth = defineCredentialType({
  name: 'jwtAuth',
  displayName: 'JWT Auth',
  documentation: 'https://www.rfc-editor.org/rfc/rfc7519',
  properties: [
    choice('keyType', 'Key Type', [
      ['passphrase', 'Passphrase'],
      ['pemKey', 'PEM Key'],
    ]),
    secret('secret', 'Secret', { required: true, show: { keyType: ['passphrase'] } }),
    secretBlock('privateKey', 'Private Key', { show: { keyType: ['pemKey'] }, description: 'PEM; signs' }),
    text('publicKey', 'Public Key', {
      show: { keyType: ['pemKey'] },
      description: 'PEM; verifies tokens. Default: derived from the private key',
    }),
    choice(
      'algorithm',
      'Algorithm',
      jwtAlgorithms.map((name) => [name, name]),
    ),
  ],
  authenticate,
  test,
});

/**
 * The payload of a token that is signed with the credential's key and currently valid; otherwise
 * `undefined`.
 */
export async function verifyJwt(data: JsonObject, token: string, nowMs: number): Promise<JsonObject | undefined> {
  const { decodeProtectedHeader, jwtVerify } = await import('jose');
  try {
    if (forbiddenHeader(decodeProtectedHeader(token) as JsonObject) !== undefined) return undefined;
    const options = { algorithms: [algorithmOf(data)], currentDate: new Date(nowMs) };
    return (await jwtVerify(token, verificationKey(data), options)).payload as JsonObject;
  } catch {
    return undefined;
  }
}

/**
 * The header parameter that makes a token invalid regardless of its signature; `undefined` if there
 * is no such parameter. A critical extension must be understood (RFC 7515, 4.1.11), and we support
 * no extension: `b64`, which the library supports, is not allowed in a JWT (RFC 7797, 7).
 */
export function forbiddenHeader(header: JsonObject): 'crit' | 'b64' | undefined {
  if (Object.hasOwn(header, 'crit')) return 'crit';
  return Object.hasOwn(header, 'b64') && header['b64'] !== true ? 'b64' : undefined;
}

/** Signs a token for `payload`; adds the creation time unless the payload has one. */
export async function signJwt(
  data: JsonObject,
  payload: JsonObject,
  nowMs: number,
  { algorithm = algorithmOf(data), keyId }: { algorithm?: string; keyId?: string } = {},
): Promise<string> {
  const { SignJWT } = await import('jose');
  const claims = { iat: Math.floor(nowMs / 1000), ...payload };
  const header = { alg: algorithm, typ: 'JWT', ...(keyId !== undefined && { kid: keyId }) };
  return new SignJWT(claims).setProtectedHeader(header).sign(signingKey(data));
}

/**
 * The payload of a token signed with the credential's key. Does not check its time claims. Throws
 * if the signature is invalid.
 */
export async function verifyJwtSignature(
  data: JsonObject,
  token: string,
  algorithm: string = algorithmOf(data),
): Promise<Uint8Array> {
  const { compactVerify } = await import('jose');
  return (await compactVerify(token, verificationKey(data), { algorithms: [algorithm] })).payload;
}

async function signedToken(data: JsonObject, nowMs: number): Promise<string> {
  const { SignJWT } = await import('jose');
  const issuedAt = Math.floor(nowMs / 1000);
  const token = new SignJWT().setProtectedHeader({ alg: algorithmOf(data), typ: 'JWT' });
  return token
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetimeS)
    .sign(signingKey(data));
}

function algorithmOf(data: JsonObject): string {
  return optionalCredentialText(data, 'algorithm', 'HS256');
}

function isPem(data: JsonObject): boolean {
  return optionalCredentialText(data, 'keyType', 'passphrase') === 'pemKey';
}

function signingKey(data: JsonObject): KeyObject {
  if (!isPem(data)) return createSecretKey(Buffer.from(credentialText(data, 'secret')));
  return privateKeyOf(data, 'privateKey');
}

function verificationKey(data: JsonObject): KeyObject {
  if (!isPem(data)) return signingKey(data);
  const own = optionalCredentialText(data, 'publicKey') !== '';
  return own ? publicKeyOf(data, 'publicKey') : createPublicKey(signingKey(data));
}
