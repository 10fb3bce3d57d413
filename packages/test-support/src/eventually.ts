import { setTimeout as delay } from 'node:timers/promises';

/**
 * Milliseconds between two checks: a tenth of the wait so far, within these bounds. A check is
 * often an API request, which can cost more CPU time than the work that it waits for.
 */
const pollMs = { share: 0.1, least: 20, most: 250 };

/**
 * Repeats `check` until it neither throws nor returns `false`, and resolves to its result. After
 * the timeout, rejects with the last failure. The default is a minute: a successful wait takes no
 * longer than needed, and a failure may come late on a slow machine.
 */
export async function eventually<T>(check: () => T | Promise<T>, { timeoutMs = 60_000 } = {}): Promise<Exclude<T, false>> {
  const startedAt = performance.now();
  for (;;) {
    const [result, failure] = await attempt(check);
    if (failure === undefined) return result as Exclude<T, false>;
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > timeoutMs) throw failure;
    await delay(Math.min(Math.max(waitedMs * pollMs.share, pollMs.least), pollMs.most));
  }
}

async function attempt<T>(check: () => T | Promise<T>): Promise<[T | undefined, unknown]> {
  try {
    const result = await check();
    return result === false ? [undefined, new Error('the condition did not become true in time')] : [result, undefined];
  } catch (error) {
    return [undefined, error ?? new Error('the check failed')];
  }
}
