import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { KeyRing } from './key-ring.ts';
import { keyBytes } from './master-key.ts';

/**
 * 192 bits: exactly 32 characters of base64url without padding bits, so that each code has one
 * spelling.
 */
const macBytes = 24;

/**
 * Message authentication codes that every process with the master key can issue and verify:
 * HMAC-SHA-256 with keys that HKDF (RFC 5869) derives for one purpose. Codes issued under any
 * master key of the ring are valid.
 */
export class DerivedMac {
  readonly #primary: Buffer;
  readonly #all: readonly Buffer[];

  /** `purpose` must never change: another value invalidates all codes. */
  constructor(keys: KeyRing, purpose: string) {
    const derive = (bytes: Buffer) => Buffer.from(hkdfSync('sha256', bytes, '', purpose, keyBytes));
    this.#primary = derive(keys.primary.bytes);
    this.#all = keys.ids.flatMap((id) => keys.find(id) ?? []).map(({ bytes }) => derive(bytes));
  }

  /** 32 characters of base64url. */
  sign(text: string): string {
    return macOf(this.#primary, text);
  }

  verify(mac: string, text: string): boolean {
    return this.#all.some((key) => isSameSecret(mac, macOf(key, text)));
  }
}

function macOf(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest().subarray(0, macBytes).toString('base64url');
}

/** Compares hashes, so that the time taken reveals neither content nor length of a secret. */
export function isSameSecret(received: string, wanted: string): boolean {
  return timingSafeEqual(hashOf(received), hashOf(wanted));
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
