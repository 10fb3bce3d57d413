import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares hashes, so that the time taken reveals neither the content nor the length of a secret. */
export function isSameSecret(received: string, wanted: string): boolean {
  return timingSafeEqual(hashOf(received), hashOf(wanted));
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
