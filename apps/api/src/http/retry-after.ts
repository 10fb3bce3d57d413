import type { Response } from 'express';

/** In seconds: about the time until a restart of Postgres or Redis is detected. */
const defaultSeconds = '2';

/** Whether the same request may succeed later. */
export function isTemporary(status: number): boolean {
  return status === 429 || status === 503;
}

/** Sets `Retry-After`, unless a rate limit has set it already. */
export function setRetryAfter(response: Response): void {
  if (!response.hasHeader('Retry-After')) response.setHeader('Retry-After', defaultSeconds);
}
