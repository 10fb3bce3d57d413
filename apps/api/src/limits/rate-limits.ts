import { hashApiKey, mayBeApiKey } from '@sluice/db';
import type { Request, RequestHandler } from 'express';
import type { OperationGroup } from '../http/define-route.ts';
import { type AnonymousLimit, type AnonymousLimitOptions, anonymousLimit } from './anonymous-limit.ts';
import { clientAddress } from './client-address.ts';
import type { Counters } from './counters.ts';
import { type Counted, enforce, type Limit } from './enforce.ts';
import { type MissLimit, missLimit } from './miss-limit.ts';
import type { GroupOf } from './operation-group.ts';

export interface RateLimitsOptions {
  counters: Counters;
  keyHeader: string;
  groupOf: GroupOf;
  windowMs: number;
  /** Requests of one address in a window. */
  addressMax: number;
  /** Requests of one API key in a window, by group of operations. */
  keyMax: Readonly<Record<OperationGroup, number>>;
  /** Misses of one address allowed in a window. */
  missMax: number;
  anonymousMax: AnonymousLimitOptions['anonymousMax'];
  storageQuota: AnonymousLimitOptions['storageQuota'];
}

export interface RateLimits {
  /** Before authentication. */
  byAddress: RequestHandler;
  /** After authentication: an invalid key is reported first. */
  byKey: RequestHandler;
  /** For requests without an API key. */
  misses: MissLimit;
  anonymous: AnonymousLimit;
}

/**
 * Two limits, by client address and by API key, counted in one round trip: the key is counted
 * together with the address, unless the address is over its limit. The limit applies once the key
 * is valid.
 */
export function rateLimits(options: RateLimitsOptions): RateLimits {
  const counted = new WeakMap<Request, Counted>();
  return {
    byAddress: async (request, response, next) => {
      const address = addressLimit(request, options);
      const key = keyLimit(request, options);
      const [ofAddress, ofKey] = await options.counters.count(key ? [address, key] : [address]);
      if (key && ofKey) counted.set(request, { limit: key, count: ofKey });
      if (ofAddress) enforce({ limit: address, count: ofAddress }, response, options.windowMs);
      next();
    },
    byKey: (request, response, next) => {
      const own = counted.get(request);
      if (own) enforce(own, response, options.windowMs);
      next();
    },
    misses: missLimit(options),
    anonymous: anonymousLimit(options),
  };
}

function addressLimit(request: Request, { addressMax }: RateLimitsOptions): Limit {
  return { key: `ip:${clientAddress(request.ip)}`, max: addressMax, policy: 'ip' };
}

/** The bucket is the hash of the key as sent, so it needs no lookup. */
function keyLimit(request: Request, { keyHeader, groupOf, keyMax }: RateLimitsOptions): Limit | undefined {
  const rawKey = request.get(keyHeader);
  if (rawKey === undefined || !mayBeApiKey(rawKey)) return undefined;
  const group = groupOf(request.method, request.path);
  return { key: `key:${group}:${hashApiKey(rawKey).toString('base64url')}`, max: keyMax[group], policy: `key-${group}` };
}
