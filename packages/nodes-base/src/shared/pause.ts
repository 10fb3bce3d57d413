import { setTimeout as delay } from 'node:timers/promises';

/** The longest time that Node's timers hold; a longer one would fire at once. */
const longestMs = 2 ** 31 - 1;

/** Waits; rejects with the reason of the signal as soon as it fires. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(Math.min(Math.max(milliseconds, 0), longestMs), undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}
