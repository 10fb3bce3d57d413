import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { fakePorts } from '../testing/credential-ports.ts';
import { crypto } from './crypto.ts';

const encoding = {
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
} as const;
const pair = generateKeyPairSync('rsa', { modulusLength: 2048, ...encoding });
const other = generateKeyPairSync('rsa', { modulusLength: 2048, ...encoding });
const curve = generateKeyPairSync('ec', { namedCurve: 'P-256', ...encoding });

const tried = (data: JsonObject) => crypto.test?.(data, fakePorts(), new AbortController().signal);

test.each<JsonObject>([
  { hmacSecret: 's' },
  { encryptionPassphrase: 'p' },
  { signPrivateKey: curve.privateKey },
  { encryptionPublicKey: pair.publicKey.replaceAll('\n', ' '), encryptionPrivateKey: pair.privateKey },
])('the credential test reports valid secrets, and that no service was contacted', async (data) => {
  expect(await tried(data)).toEqual({
    status: 'OK',
    message: 'the secrets are valid; no service was contacted',
  });
});

test.each<[JsonObject, string]>([
  [{}, 'has no secret'],
  [{ hmacSecret: 's', signPrivateKey: 'not a key' }, '"signPrivateKey" is not a readable PEM key'],
  [{ encryptionPublicKey: 'not a key' }, '"encryptionPublicKey" is not a readable PEM key'],
  [{ encryptionPrivateKey: curve.privateKey }, 'not an RSA key'],
  [{ encryptionPublicKey: other.publicKey, encryptionPrivateKey: pair.privateKey }, 'does not decrypt'],
])('the credential test reports unusable keys (%#)', async (data, message) => {
  expect(await tried(data)).toEqual({ status: 'Error', message: expect.stringContaining(message) });
});
