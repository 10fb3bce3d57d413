import type { Config } from '@sluice/config';
import type { Logger } from '@sluice/logger';
import { FallbackCounters } from './fallback-counters.ts';
import { MemoryCounters } from './memory-counters.ts';
import type { GroupOf } from './operation-group.ts';
import { type RateLimits, type RateLimitsOptions, rateLimits } from './rate-limits.ts';
import { RedisCounters, type ScriptRunner } from './redis-counters.ts';

interface RateLimitParts {
  redis: ScriptRunner;
  state: { readonly up: boolean };
  storageQuota: RateLimitsOptions['storageQuota'];
  logger: Logger;
  groupOf: GroupOf;
}

/** Creates the configured limits: counted in Redis for all replicas, or in memory while Redis is down. */
export function createRateLimits(
  { http, redis: { queuePrefix } }: Config,
  { redis, state, storageQuota, logger, groupOf }: RateLimitParts,
): RateLimits {
  const { windowMs } = http.rateLimit;
  const counters = new FallbackCounters({
    // Prefixed by length, so that windows opened under an earlier setting do not count.
    shared: new RedisCounters(redis, { prefix: `${queuePrefix}:rate:${windowMs}`, windowMs }),
    own: new MemoryCounters({ windowMs }),
    redis: state,
    logger,
  });
  return rateLimits({ counters, keyHeader: http.keyHeader, storageQuota, groupOf, ...http.rateLimit });
}
