import { AppError } from '@sluice/domain';
import type { Response } from 'express';
import type { Bucket, Count } from './counters.ts';

export interface Limit extends Bucket {
  /** Name in the headers. */
  policy: string;
}

export interface Counted {
  limit: Limit;
  count: Count;
}

/**
 * Adds the headers of draft-ietf-httpapi-ratelimit-headers-08 to those of earlier limits. Throws for
 * one request too many.
 */
export function enforce(
  { limit: { policy, max }, count: { hits, resetMs } }: Counted,
  response: Response,
  windowMs: number,
): void {
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
