import { randomBytes } from 'node:crypto';
import { sharedServices } from './shared-services.ts';

/** The Redis that all test files share: keep to keys under `testRedisPrefix()`, and do not flush it. */
export function testRedisUrl(): string {
  return sharedServices().redisUrl;
}

/** A queue prefix that nobody else uses. */
export function testRedisPrefix(): string {
  return `test-${randomBytes(6).toString('hex')}`;
}
