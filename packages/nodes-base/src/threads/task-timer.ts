import { setTimeout as delay } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';

/** Maximum wall time of a task, as a multiple of its limit. */
export const wallTimeFactor = 3;
/** Milliseconds within which a thread reports its processor time, unless it runs native code. */
const answerMs = 2_000;
/** Minimum milliseconds between two checks. */
const leastMs = 50;

/** Returns the milliseconds for which a thread has run or been idle; it may never resolve. */
type ThreadClock = () => Promise<number>;

/** The clock of a thread, which is 0 until the thread has started. */
export function threadClock(worker: Worker): ThreadClock {
  return async () => (await cpuMs(worker)) + worker.performance.eventLoopUtilization().idle;
}

async function cpuMs(worker: Worker): Promise<number> {
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1_000;
  } catch {
    return 0; // it has not started, or Node.js is older than 24.6
  }
}

/**
 * Calls `expire` when a task has used up its time. Only time in which its thread runs or is idle
 * counts, so that a task does not fail because the machine is busy. Wall time is limited to
 * `wallTimeFactor` times as much. Disposing it ends the timer.
 */
export function startTaskTimer(usedMs: ThreadClock, limitMs: number, expire: () => void): Disposable {
  const wallTimer = setTimeout(expire, wallTimeFactor * limitMs);
  const ended = new AbortController();
  const usedAtStart = usedMs();
  let timer = setTimeout(check, limitMs);
  async function check(): Promise<void> {
    const used = Promise.all([usedMs(), usedAtStart]).then(([now, before]) => now - before);
    const unknown = delay(answerMs, limitMs, { signal: ended.signal }).catch(() => limitMs);
    const remainingMs = limitMs - (await Promise.race([used, unknown]));
    if (ended.signal.aborted) return;
    if (remainingMs > 0) timer = setTimeout(check, Math.max(leastMs, remainingMs));
    else expire();
  }
  return {
    [Symbol.dispose]() {
      ended.abort();
      clearTimeout(timer);
      clearTimeout(wallTimer);
    },
  };
}
