import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { randomId } from '@sluice/domain';

const prefix = 'sluice_';
/** 40 base62 characters carry 238 bits. */
const secretLength = 40;
const checksumLength = 6;

/**
 * `sluice_`, 238 random bits in base62, and 6 characters of CRC-32, by which secret scanners
 * recognize a key.
 */
export function generateApiKey(): string {
  const body = prefix + randomId(secretLength);
  return body + checksum(body);
}

/**
 * SHA-256 of a key, in base64url, which Node computes several times as fast as a buffer. The key's
 * entropy makes a slow hash unnecessary.
 */
export function apiKeyDigest(key: string): string {
  return hash('sha256', key, 'base64url');
}

/** The stored form of a key, by which it is also looked up. */
export function hashApiKey(key: string): Buffer {
  return Buffer.from(apiKeyDigest(key), 'base64url');
}

/** The first and last few characters: enough to recognize a key, useless to an attacker. */
export function redactApiKey(key: string): string {
  const head = key.startsWith(prefix) ? prefix.length + 3 : 4;
  return `${key.slice(0, head)}${'*'.repeat(8)}${key.slice(-4)}`;
}

/**
 * False for a string that cannot be a key. `BOOTSTRAP_API_KEY` may set keys of any visible
 * characters.
 */
export function mayBeApiKey(text: string): boolean {
  return /^[\x21-\x7e]{20,512}$/.test(text);
}

function checksum(text: string): string {
  return crc32(text).toString(36).padStart(7, '0').slice(-checksumLength);
}
