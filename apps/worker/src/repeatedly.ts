export interface RepeatOptions {
  /** Milliseconds after each run that names no others. */
  pauseMs: number;
  /** Milliseconds before the first run; default: `pauseMs`. */
  firstMs?: number;
  /** Ends it; a run that is under way is not cut off. */
  signal: AbortSignal;
  onError(error: unknown): void;
}

/** Lets the next run begin in so many milliseconds at the latest. */
export type Hasten = (withinMs: number) => void;

/**
 * Does `work` again and again, one run at a time, with a pause between the end of one and the start of the next. A run that fails is
 * told to `onError`, and comes again like any other. `work` may resolve to the milliseconds until the next run; what is hastened while
 * it runs counts for the run after it.
 */
export function repeatedly(
  work: () => Promise<number> | Promise<void>,
  { pauseMs, firstMs = pauseMs, signal, onError }: RepeatOptions,
): Hasten {
  let timer: NodeJS.Timeout | undefined;
  let isRunning = false;
  /** When the next run begins; while one is under way, the earliest that was asked for. */
  let nextAt = Number.POSITIVE_INFINITY;
  const runIn = (ms: number): void => {
    const at = performance.now() + ms;
    if (signal.aborted || at >= nextAt) return;
    nextAt = at;
    clearTimeout(timer);
    if (!isRunning) timer = setTimeout(() => void run(), ms);
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
  runIn(firstMs);
  return runIn;
}
