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
])('a test says that what it has can be used, and that nothing was reached', async (data) => {
  expect(await tried(data)).toEqual({
    status: 'OK',
    message: 'the secrets can be used; there is no service to try them on',
  });
});

test.each<[JsonObject, string]>([
  [{}, 'no secret at all'],
  [{ hmacSecret: 's', signPrivateKey: 'not a key' }, '"signPrivateKey" holds no key in PEM'],
  [{ encryptionPublicKey: 'not a key' }, '"encryptionPublicKey" holds no key in PEM'],
  [{ encryptionPrivateKey: curve.privateKey }, 'not one of RSA'],
  [{ encryptionPublicKey: other.publicKey, encryptionPrivateKey: pair.privateKey }, 'does not decrypt'],
])('a test finds fault with keys that cannot be used (%#)', async (data, message) => {
  expect(await tried(data)).toEqual({ status: 'Error', message: expect.stringContaining(message) });
});
