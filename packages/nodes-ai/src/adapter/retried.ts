import { setTimeout as delay } from 'node:timers/promises';
import { ModelError } from '@sluice/node-sdk';

/** First pause in milliseconds; it doubles. */
const firstPauseMs = 1_000;
/** Longest pause. If a provider requests a longer pause, the call is not retried. */
const maxPauseMs = 60_000;

/** Retries a call after transient errors. Waits as long as the provider requests. */
export async function retried<T>(maxRetries: number, signal: AbortSignal, call: () => Promise<T>): Promise<T> {
  for (let retry = 0; ; retry += 1) {
    try {
      return await call();
    } catch (error) {
      const pauseMs = pauseAfter(error, retry);
      if (retry >= maxRetries || pauseMs === undefined) throw error;
      await delay(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

/** `undefined`: a retry cannot help. */
function pauseAfter(error: unknown, retry: number): number | undefined {
  if (!(error instanceof ModelError) || !error.retryable) return undefined;
  const pauseMs = error.retryAfterMs ?? Math.min(firstPauseMs * 2 ** retry, maxPauseMs);
  return pauseMs <= maxPauseMs ? pauseMs : undefined;
}
