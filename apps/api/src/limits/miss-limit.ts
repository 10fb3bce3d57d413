import { type ErrorCode, isAppError } from '@sluice/domain';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { clientAddress } from './client-address.ts';
import type { Counters } from './counters.ts';
import { enforce } from './enforce.ts';

interface MissLimitOptions {
  counters: Counters;
  windowMs: number;
  /** Calls of one address in a window that may miss. */
  missMax: number;
  /** Milliseconds of any clock that does not jump. */
  now?: () => number;
}

/** Against guessing addresses and secrets: only calls that miss are counted, so calls that are welcome cost nothing. */
export interface MissLimit {
  /** After the routers of what strangers call: counts a call that found nothing, or was not let in; one too many is 429 instead. */
  count: ErrorRequestHandler;
  /** For use before a router whose URLs are secrets: refuses clients that guessed wrong too often. */
  refuse: RequestHandler;
  /**
   * The same check before the secret of a request is compared: throws `RATE_LIMITED` for right and wrong secrets alike, so the response reveals nothing. Uses
   * no shared counter: a process refuses clients from the misses that it counted itself.
   */
  assertMayGuess(request: Request, response: Response): void;
}

/** Addresses remembered at most; who is not is found out by the next miss. */
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
