import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { AppError, credentialText, type JsonObject } from '@sluice/node-sdk';

/**
 * Restores the PEM format of a pasted key, which may have escaped line breaks (`\n`) or be on one
 * line.
 */
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

/** Replaces OpenSSL's message for an unreadable key, which does not help users. */
function keyOf(data: JsonObject, field: string, read: (key: string) => KeyObject): KeyObject {
  const text = pem(credentialText(data, field));
  try {
    return read(text);
  } catch {
    throw new AppError({ code: 'CREDENTIAL_UNUSABLE', message: `the field "${field}" is not a readable PEM key` });
  }
}
