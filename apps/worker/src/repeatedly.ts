export interface RepeatOptions {
  /** Milliseconds after each run that names no others. */
  pauseMs: number;
  /** Milliseconds before the first run; default: `pauseMs`. */
  firstMs?: number;
  /** Ends it; a run that is under way is not cut off. */
  signal: AbortSignal;
  onError(error: unknown): void;
}

/**
 * Does `work` again and again, one run at a time, with a pause between the end of one and the start of the next. A run that fails is
 * told to `onError`, and comes again like any other. `work` may resolve to the milliseconds until the next run.
 */
export function repeatedly(
  work: () => Promise<number> | Promise<void>,
  { pauseMs, firstMs = pauseMs, signal, onError }: RepeatOptions,
): void {
  let timer: NodeJS.Timeout | undefined;
  const runIn = (ms: number): void => {
    if (!signal.aborted) timer = setTimeout(() => void run(), ms);
  };
  const run = async (): Promise<void> => runIn((await work().catch(onError)) ?? pauseMs);
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  runIn(firstMs);
}
