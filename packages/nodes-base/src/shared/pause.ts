import { setTimeout as delay } from 'node:timers/promises';

/** Maximum delay of Node timers; a longer delay would fire immediately. */
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
