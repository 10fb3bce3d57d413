import { hashApiKey, mayBeApiKey } from '@sluice/db';
import { AppError } from '@sluice/domain';
import type { Request, RequestHandler, Response } from 'express';
import type { OperationGroup } from '../endpoint-groups.ts';
import { clientAddress } from './client-address.ts';
import type { Bucket, Count, Counters } from './counters.ts';
import { operationGroup } from './operation-group.ts';

export interface RateLimitsOptions {
  counters: Counters;
  keyHeader: string;
  windowMs: number;
  /** Requests of one address in a window. */
  addressMax: number;
  /** Requests of one API key in a window, by group of operations. */
  keyMax: Readonly<Record<OperationGroup, number>>;
}

export interface RateLimits {
  /** Before authentication. */
  byAddress: RequestHandler;
  /** After it: who has no good key is told that first. */
  byKey: RequestHandler;
}

interface Limit extends Bucket {
  /** As the headers call it. */
  policy: string;
}

interface Counted {
  limit: Limit;
  count: Count;
}

/**
 * Two limits, by client address and by API key, counted in one round trip: the key is counted along with the address, unless the
 * address is over its limit, and the count is held until the key has proved good.
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
  };
}

function addressLimit(request: Request, { addressMax }: RateLimitsOptions): Limit {
  return { key: `ip:${clientAddress(request.ip)}`, max: addressMax, policy: 'ip' };
}

/** By the hash of the key as it was sent: the same key has the same bucket, before anybody has looked it up. */
function keyLimit(request: Request, { keyHeader, keyMax }: RateLimitsOptions): Limit | undefined {
  const rawKey = request.get(keyHeader);
  if (rawKey === undefined || !mayBeApiKey(rawKey)) return undefined;
  const group = operationGroup(request.method, request.path);
  return { key: `key:${group}:${hashApiKey(rawKey).toString('base64url')}`, max: keyMax[group], policy: `key-${group}` };
}

/** Writes the headers of draft-ietf-httpapi-ratelimit-headers-08, beside those of a limit before; throws for one request too many. */
function enforce({ limit: { policy, max }, count: { hits, resetMs } }: Counted, response: Response, windowMs: number): void {
  const seconds = Math.ceil(resetMs / 1_000);
  append(response, 'RateLimit-Policy', `"${policy}";q=${max};w=${Math.ceil(windowMs / 1_000)}`);
  append(response, 'RateLimit', `"${policy}";r=${Math.max(0, max - hits)};t=${seconds}`);
  if (hits <= max) return;
  response.setHeader('Retry-After', String(seconds));
  throw new AppError({ code: 'RATE_LIMITED', message: 'too many requests' });
}

function append(response: Response, name: string, item: string): void {
  const before = response.getHeader(name);
  response.setHeader(name, before === undefined ? item : `${String(before)}, ${item}`);
}
