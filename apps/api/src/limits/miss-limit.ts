import { type ErrorCode, isAppError } from '@sluice/domain';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { clientAddress } from './client-address.ts';
import type { Counters } from './counters.ts';
import { enforce } from './enforce.ts';

interface MissLimitOptions {
  counters: Counters;
  windowMs: number;
  /** Misses of one address allowed in a window. */
  missMax: number;
  /** Milliseconds of a monotonic clock. */
  now?: () => number;
}

/** Limits guesses of addresses and secrets. Counts misses only, so valid requests cost nothing. */
export interface MissLimit {
  /**
   * Mount after the inbound routers: counts requests that fail with 401 or 404; one too many is 429
   * instead.
   */
  count: ErrorRequestHandler;
  /**
   * For use before a router whose URLs are secrets: refuses clients that guessed wrong too often.
   */
  refuse: RequestHandler;
  /**
   * The same check before the secret of a request is compared: throws `RATE_LIMITED` for right and
   * wrong secrets alike, so the response reveals nothing. Uses no shared counter: a process refuses
   * clients from the misses that it counted itself.
   */
  assertMayGuess(request: Request, response: Response): void;
}

/** Maximum of remembered addresses. A dropped one is added again by its next miss. */
const maxRefused = 10_000;
const misses: ReadonlySet<ErrorCode> = new Set(['NOT_FOUND', 'UNAUTHORIZED']);

export function missLimit({ counters, windowMs, missMax, now = () => performance.now() }: MissLimitOptions): MissLimit {
  const refusedUntil = new Map<string, number>();
  const limit = (address: string) => ({ key: `miss:${address}`, max: missMax, policy: 'miss' });
  const assertMayGuess: MissLimit['assertMayGuess'] = (request, response) => {
    const address = clientAddress(request.ip);
    const resetMs = (refusedUntil.get(address) ?? 0) - now();
    if (resetMs > 0) enforce({ limit: limit(address), count: { hits: missMax + 1, resetMs } }, response, windowMs);
    refusedUntil.delete(address);
  };
  return {
    async count(error, request, response, next) {
      if (!isAppError(error) || !misses.has(error.code)) return next(error);
      const address = clientAddress(request.ip);
      const [count] = await counters.count([limit(address)]);
      if (count && count.hits > missMax) {
        if (refusedUntil.size >= maxRefused) refusedUntil.clear();
        refusedUntil.set(address, now() + count.resetMs);
      }
      if (count) enforce({ limit: limit(address), count }, response, windowMs);
      next(error);
    },
    refuse(request, response, next) {
      assertMayGuess(request, response);
      next();
    },
    assertMayGuess,
  };
}
