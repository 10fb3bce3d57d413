import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { AppError, credentialText, type JsonObject } from '@sluice/node-sdk';

/** A key as people paste it (out of JSON with `\n` written out, or with its lines run together) as the PEM that it was. */
export function pem(text: string): string {
  const lines = text.trim().replaceAll('\\n', '\n').replaceAll('\r', '');
  const [, begin, body, end] = /^(-----BEGIN [A-Z0-9 ]+-----)([\s\S]*?)(-----END [A-Z0-9 ]+-----)/.exec(lines) ?? [];
  if (body === undefined || body.includes(':')) return `${lines}\n`;
  return [begin, ...(body.replace(/\s+/g, '').match(/.{1,64}/g) ?? []), end, ''].join('\n');
}

export function privateKeyOf(data: JsonObject, field: string): KeyObject {
  return keyOf(data, field, createPrivateKey);
}

export function publicKeyOf(data: JsonObject, field: string): KeyObject {
  return keyOf(data, field, createPublicKey);
}

/** What OpenSSL says of a key that it cannot read helps nobody. */
function keyOf(data: JsonObject, field: string, read: (key: string) => KeyObject): KeyObject {
  const text = pem(credentialText(data, field));
  try {
    return read(text);
  } catch {
    throw new AppError({ code: 'CREDENTIAL_UNUSABLE', message: `the field "${field}" is not a readable PEM key` });
  }
}
