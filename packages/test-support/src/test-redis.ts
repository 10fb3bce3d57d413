import { randomBytes } from 'node:crypto';
import { sharedServices } from './shared-services.ts';

/**
 * The Redis that all test files share: use keys under `testRedisPrefix()` only, and do not flush
 * it.
 */
export function testRedisUrl(): string {
  return sharedServices().redisUrl;
}

/** A unique queue prefix. */
export function testRedisPrefix(): string {
  return `test-${randomBytes(6).toString('hex')}`;
}
