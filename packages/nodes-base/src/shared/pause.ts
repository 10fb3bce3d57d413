import { setTimeout as delay } from 'node:timers/promises';

/** Longest delay of Node timers; a longer one would fire at once. */
const longestMs = 2 ** 31 - 1;

/** Waits; rejects with the signal's reason as soon as it fires. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(Math.min(Math.max(milliseconds, 0), longestMs), undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}
