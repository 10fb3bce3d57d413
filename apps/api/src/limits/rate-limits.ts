import type { Config } from '@sluice/config';
import { apiKeyDigest, mayBeApiKey } from '@sluice/db';
import type { Logger } from '@sluice/logger';
import type { Request, RequestHandler } from 'express';
import { clientAddress } from '../http/request/sender-address.ts';
import type { OperationGroup } from '../http/route/define-route.ts';
import { type AnonymousLimit, type AnonymousLimitOptions, anonymousLimit } from './anonymous-limit.ts';
import { FallbackCounters, MemoryCounters } from './counters.ts';
import { createLimiter, type Enforce, type Limit, type Limiter } from './limiter.ts';
import { type MissLimit, missLimit } from './miss-limit.ts';
import type { GroupOf } from './operation-group.ts';
import { RedisCounters, type ScriptHost } from './redis-counters.ts';

interface RateLimitParts {
  redis: ScriptHost;
  redisWatch: { readonly up: boolean };
  storageQuotas: AnonymousLimitOptions['storageQuotas'];
  logger: Logger;
  groupOf: GroupOf;
}

export interface RateLimits {
  /** Before authentication. */
  byAddress: RequestHandler;
  /** After authentication: an invalid key is reported first. */
  byKey: RequestHandler;
  /** The limit of a valid key, for requests whose operation only their body names. */
  ofKey: (rawKey: string) => (group: OperationGroup) => Enforce;
  /** For requests without an API key. */
  misses: MissLimit;
  anonymous: AnonymousLimit;
}

/** Creates the configured limits, counted in Redis, or in memory while Redis is down. */
export function createRateLimits({ http, redis: { queuePrefix } }: Config, parts: RateLimitParts): RateLimits {
  const { rateLimit, keyHeader } = http;
  const { windowMs } = rateLimit;
  const counters = new FallbackCounters({
    // Prefixed by length, so that windows opened under an earlier setting do not count.
    shared: new RedisCounters(parts.redis, { prefix: `${queuePrefix}:rate:${windowMs}`, windowMs }),
    local: new MemoryCounters({ windowMs }),
    redisWatch: parts.redisWatch,
    logger: parts.logger,
  });
  const limiter = createLimiter({ counters, windowMs });
  return {
    ...keyedLimits({ limiter, keyHeader, groupOf: parts.groupOf, ...rateLimit }),
    misses: missLimit({ counters, limiter, ...rateLimit }),
    anonymous: anonymousLimit({ limiter, storageQuotas: parts.storageQuotas, ...rateLimit }),
  };
}

type RateLimitConfig = Config['http']['rateLimit'];

interface KeyedLimitsOptions extends Pick<RateLimitConfig, 'addressMax' | 'keyMax'> {
  limiter: Limiter;
  keyHeader: string;
  groupOf: GroupOf;
}

/**
 * Two limits, by client address and by API key, counted in one round trip: the key is counted
 * together with the address, unless the address is over its limit. The limit applies once the key
 * is valid.
 */
function keyedLimits(options: KeyedLimitsOptions): Pick<RateLimits, 'byAddress' | 'byKey' | 'ofKey'> {
  const ofKeys = new WeakMap<Request, Enforce>();
  return {
    byAddress: async (request, response, next) => {
      const key = keyLimit(request, options);
      const address = { key: `ip:${clientAddress(request)}`, max: options.addressMax, policy: 'ip' };
      const [enforce, ofKey] = options.limiter([address, ...(key ? [key] : [])]);
      if (ofKey) ofKeys.set(request, ofKey);
      await enforce(request, response);
      next();
    },
    byKey: async (request, response, next) => {
      await ofKeys.get(request)?.(request, response);
      next();
    },
    ofKey: (rawKey) => (group) => options.limiter([limitOf(rawKey, group, options)])[0],
  };
}

function keyLimit(request: Request, options: KeyedLimitsOptions): Limit | undefined {
  const rawKey = request.get(options.keyHeader);
  if (rawKey === undefined || !mayBeApiKey(rawKey)) return undefined;
  return limitOf(rawKey, options.groupOf(request.method, request.path), options);
}

/** The bucket is the hash of the key as sent, so it needs no lookup. */
function limitOf(rawKey: string, group: OperationGroup, { keyMax }: Pick<KeyedLimitsOptions, 'keyMax'>): Limit {
  return { key: `key:${group}:${apiKeyDigest(rawKey)}`, max: keyMax[group], policy: `key-${group}` };
}
