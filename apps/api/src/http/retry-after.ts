import type { Response } from 'express';

/** Seconds. About as long as a restart of Postgres or Redis goes unnoticed. */
const defaultSeconds = '2';

/** Whether the same request may succeed later. */
export function isTemporary(status: number): boolean {
  return status === 429 || status === 503;
}

/** Sets `Retry-After`, unless a rate limit has set it already. */
export function setRetryAfter(response: Response): void {
  if (!response.hasHeader('Retry-After')) response.setHeader('Retry-After', defaultSeconds);
}
