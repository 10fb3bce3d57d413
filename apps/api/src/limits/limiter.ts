import { AppError } from '@sluice/domain';
import type { Request, Response } from 'express';
import type { Bucket, Count, Counters } from './counters.ts';

export interface Limit extends Bucket {
  /** Name in the headers. */
  policy: string;
}

/** Sets the headers of one limit. Rejects with `RATE_LIMITED` for one request too many. */
export type Enforce = (request: Request, response: Response) => Promise<void>;

/**
 * The limits of one request, in their order. The first to be enforced counts all of them, in one round
 * trip, unless `counted` has the counts.
 */
export type Limiter = <const Limits extends readonly Limit[]>(
  limits: Limits,
  counted?: readonly Count[],
) => { [Index in keyof Limits]: Enforce };

/** A limiter that counts all limits of a request in one round trip. */
export function createLimiter({ counters, windowMs }: { counters: Counters; windowMs: number }): Limiter {
  const enforced = (limit: Limit, count: () => Promise<Count>): Enforce => {
    return async (_request, response) => {
      const { totalHits, resetTime } = await count();
      setHeaders(response, windowMs, { ...limit, totalHits, resetTime });
      if (totalHits > limit.max) throw new AppError({ code: 'RATE_LIMITED', message: 'too many requests' });
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
