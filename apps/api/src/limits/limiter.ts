import { AsyncLocalStorage } from 'node:async_hooks';
import { AppError } from '@sluice/domain';
import type { Request, Response } from 'express';
import { rateLimit } from 'express-rate-limit';
import type { Bucket, Count, Counters } from './counters.ts';

export interface Limit extends Bucket {
  /** Name in the headers. */
  policy: string;
}

/** Sets the headers of one limit. Rejects with `RATE_LIMITED` for one request too many. */
export type Enforce = (request: Request, response: Response) => Promise<void>;

/**
 * The limits of one request, in their order. The first to be enforced counts all of them, in one
 * round trip, unless `counted` has the counts.
 */
export type Limiter = <const Limits extends readonly Limit[]>(
  limits: Limits,
  counted?: readonly Count[],
) => { [Index in keyof Limits]: Enforce };

/**
 * A limit while it is enforced. express-rate-limit passes its store only a key; this adds what is
 * counted with that key.
 */
interface Step {
  limit: Limit;
  count(): Promise<Count>;
}

/** A limiter that counts all limits of a request in one round trip. */
export function createLimiter({ counters, windowMs }: { counters: Counters; windowMs: number }): Limiter {
  const steps = new AsyncLocalStorage<Step>();
  const step = () => steps.getStore() as Step;
  const check = rateLimit({
    keyGenerator: () => step().limit.key,
    limit: () => step().limit.max,
    store: { increment: () => step().count(), decrement: () => undefined, resetKey: () => undefined },
    handler: (_request, _response, next) => next(new AppError({ code: 'RATE_LIMITED', message: 'too many requests' })),
    legacyHeaders: false,
    validate: false,
  });
  const enforced = (limit: Limit, count: () => Promise<Count>): Enforce => {
    return async (request, response) => {
      const error = await new Promise((resolve) => steps.run({ limit, count }, () => check(request, response, resolve)));
      setHeaders(response, windowMs, { ...limit, ...(await count()) });
      if (error !== undefined) throw error;
    };
  };
  return <Limits extends readonly Limit[]>(limits: Limits, counted?: readonly Count[]) => {
    let counts = counted && Promise.resolve(counted);
    const countOf = async (i: number) => {
      counts ??= counters.count(limits);
      return (await counts)[i] as Count;
    };
    return limits.map((limit, i) => enforced(limit, () => countOf(i))) as { [Index in keyof Limits]: Enforce };
  };
}

/**
 * Adds the headers of draft-ietf-httpapi-ratelimit-headers-08 to the headers of earlier limits. The
 * library's headers would contain a hash of the key.
 */
function setHeaders(response: Response, windowMs: number, { policy, max, totalHits, resetTime }: Limit & Count): void {
  const seconds = Math.max(1, Math.ceil((resetTime.getTime() - Date.now()) / 1_000));
  append(response, 'RateLimit-Policy', `"${policy}";q=${max};w=${Math.ceil(windowMs / 1_000)}`);
  append(response, 'RateLimit', `"${policy}";r=${Math.max(0, max - totalHits)};t=${seconds}`);
  if (totalHits > max) response.setHeader('Retry-After', String(seconds));
}

function append(response: Response, name: string, item: string): void {
  const before = response.getHeader(name);
  response.setHeader(name, before === undefined ? item : `${String(before)}, ${item}`);
}
