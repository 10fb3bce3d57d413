import { type ErrorCode, isAppError } from '@sluice/domain';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { clientAddress } from '../http/request/sender-address.ts';
import type { Count, Counters } from './counters.ts';
import type { Limiter } from './limiter.ts';

interface MissLimitOptions {
  counters: Counters;
  limiter: Limiter;
  /** Misses of one address allowed in a window. */
  missMax: number;
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
   * The same check before the secret of a request is compared: rejects with `RATE_LIMITED` for
   * right and wrong secrets alike, so the response reveals nothing. Uses no shared counter: a
   * process refuses clients from the misses that it counted itself.
   */
  assertMayGuess(request: Request, response: Response): Promise<void>;
}

/** Maximum number of remembered addresses. A dropped one is added again by its next miss. */
const maxRefused = 10_000;
const misses: ReadonlySet<ErrorCode> = new Set(['NOT_FOUND', 'UNAUTHORIZED']);

export function missLimit({ counters, limiter, missMax }: MissLimitOptions): MissLimit {
  const refused = new Map<string, Count>();
  const limitOf = (request: Request) => ({ key: `miss:${clientAddress(request)}`, max: missMax, policy: 'miss' });
  const remember = (key: string, count: Count) => {
    if (refused.size >= maxRefused) refused.clear();
    refused.set(key, count);
  };
  const assertMayGuess: MissLimit['assertMayGuess'] = async (request, response) => {
    const limit = limitOf(request);
    const count = refused.get(limit.key);
    if (count && count.resetTime.getTime() > Date.now()) {
      const [enforce] = limiter([limit], [count]);
      await enforce(request, response);
    }
    refused.delete(limit.key);
  };
  return {
    async count(error, request, response, next) {
      if (!isAppError(error) || !misses.has(error.code)) return next(error);
      const limit = limitOf(request);
      const counts = await counters.count([limit]);
      for (const count of counts) if (count.totalHits > missMax) remember(limit.key, count);
      const [enforce] = limiter([limit], counts);
      await enforce(request, response);
      next(error);
    },
    async refuse(request, response, next) {
      await assertMayGuess(request, response);
      next();
    },
    assertMayGuess,
  };
}
