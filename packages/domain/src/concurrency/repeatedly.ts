import { isAppError } from '../errors.ts';
import { pause } from './bounded-wait.ts';

export interface RepeatOptions {
  /** Milliseconds after each run that returns no pause. */
  pauseMs: number;
  /** Milliseconds before the first run; 0 starts it at once; default: `pauseMs`. */
  firstMs?: number;
  /** Stops the repetition; a run in progress is not interrupted. */
  signal: AbortSignal;
  onError(error: unknown): void;
}

/** Makes the next run start within this many milliseconds. */
export type Hasten = (withinMs: number) => void;

/**
 * Repeats `work`, one run at a time, with a pause between the end of one and the start of the next.
 * A failed run is passed to `onError` and repeated like any other. `work` may resolve to the
 * milliseconds until the next run; if infinite, it runs again only when moved forward. Moving
 * forward during a run applies to the next one. Does not keep the process running.
 */
export function repeatedly(
  work: () => Promise<number> | Promise<void>,
  { pauseMs, firstMs = pauseMs, signal, onError }: RepeatOptions,
): Hasten {
  let timer: NodeJS.Timeout | undefined;
  let isRunning = false;
  /** When the next run starts; during a run, the earliest requested time. */
  let nextAt = Number.POSITIVE_INFINITY;
  const runIn = (ms: number): void => {
    const at = performance.now() + ms;
    if (signal.aborted || at >= nextAt) return;
    nextAt = at;
    clearTimeout(timer);
    if (!isRunning) timer = setTimeout(() => void run(), ms).unref();
  };
  const run = async (): Promise<void> => {
    isRunning = true;
    nextAt = Number.POSITIVE_INFINITY;
    const ms = (await work().catch(onError)) ?? pauseMs;
    isRunning = false;
    const hastenedMs = Math.max(0, Math.ceil(nextAt - performance.now()));
    nextAt = Number.POSITIVE_INFINITY;
    runIn(Math.min(ms, hastenedMs));
  };
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  if (firstMs === 0 && !signal.aborted) void run();
  else runIn(firstMs);
  return runIn;
}

const pauseMs = 250;

/**
 * Repeats `operation` while Postgres or Redis is unreachable, until `signal` fires: then throws the
 * last error.
 */
export async function untilAvailable<T>(operation: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await operation();
    } catch (error) {
      if (!isAppError(error) || error.code !== 'SERVICE_UNAVAILABLE' || signal.aborted) throw error;
      await pause(pauseMs, signal);
      if (signal.aborted) throw error;
    }
  }
}
