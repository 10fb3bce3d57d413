import { constants, type KeyObject, privateDecrypt, publicEncrypt } from 'node:crypto';
import { AppError, type JsonObject } from '@sluice/node-sdk';
import { privateKeyOf, publicKeyOf } from './pem.ts';

const padding = { oaepHash: 'sha256', padding: constants.RSA_PKCS1_OAEP_PADDING };
/** Padding size in bytes: two hashes and two bytes. */
const overhead = 2 * 32 + 2;

/** Throws `CREDENTIAL_INCOMPLETE` or `CREDENTIAL_UNUSABLE`. */
export function rsaPublicKey(data: JsonObject, field: string): KeyObject {
  return ofRsa(publicKeyOf(data, field), field);
}

/** Throws `CREDENTIAL_INCOMPLETE` or `CREDENTIAL_UNUSABLE`. */
export function rsaPrivateKey(data: JsonObject, field: string): KeyObject {
  return ofRsa(privateKeyOf(data, field), field);
}

/** Encrypts at most `maxOaepBytes` bytes with RSA-OAEP and SHA-256. */
export function oaepEncrypted(publicKey: KeyObject, bytes: Uint8Array): Buffer {
  return publicEncrypt({ key: publicKey, ...padding }, bytes);
}

export function oaepDecrypted(privateKey: KeyObject, bytes: Uint8Array): Buffer {
  return privateDecrypt({ key: privateKey, ...padding }, bytes);
}

export function maxOaepBytes({ asymmetricKeyDetails: { modulusLength = 0 } = {} }: KeyObject): number {
  return Math.max(0, Math.ceil(modulusLength / 8) - overhead);
}

function ofRsa(key: KeyObject, field: string): KeyObject {
  if (key.asymmetricKeyType === 'rsa') return key;
  throw new AppError({ code: 'CREDENTIAL_UNUSABLE', message: `the field "${field}" is not an RSA key` });
}
