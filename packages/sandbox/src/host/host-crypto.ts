import { createHash, createHmac, randomBytes } from 'node:crypto';
import { bytesOf } from './host-text.ts';

export interface HashQuery {
  algorithm: string;
  /** base64 */
  data: string;
}

export interface HmacQuery extends HashQuery {
  /** base64 */
  key: string;
}

export interface RandomQuery {
  bytes: number;
}

const maxRandomBytes = 65_536;
const algorithms = new Set([
  'md5',
  'sha1',
  'sha224',
  'sha256',
  'sha384',
  'sha512',
  'sha512-256',
  'sha3-224',
  'sha3-256',
  'sha3-384',
  'sha3-512',
  'ripemd160',
]);

/** base64; `undefined` for an unsupported algorithm. */
export function hash({ algorithm, data }: HashQuery): string | undefined {
  if (!algorithms.has(algorithm)) return undefined;
  return createHash(algorithm).update(bytesOf(data, 'base64')).digest('base64');
}

/** base64; `undefined` for an unsupported algorithm. */
export function hmac({ algorithm, data, key }: HmacQuery): string | undefined {
  if (!algorithms.has(algorithm)) return undefined;
  return createHmac(algorithm, bytesOf(key, 'base64')).update(bytesOf(data, 'base64')).digest('base64');
}

/** base64; `undefined` for a length out of range. */
export function random({ bytes }: RandomQuery): string | undefined {
  if (!Number.isInteger(bytes) || bytes < 0 || bytes > maxRandomBytes) return undefined;
  return randomBytes(bytes).toString('base64');
}
