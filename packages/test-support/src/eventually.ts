import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 20;

/**
 * Repeats `check` until it neither throws nor gives `false`, and resolves to what it gave. When time is up, rejects with the last
 * failure. By default that is a
 * minute: a wait that succeeds costs only what it takes, and one that never will is no less a failure for coming late on a slow machine.
 */
export async function eventually<T>(check: () => T | Promise<T>, { timeoutMs = 60_000 } = {}): Promise<Exclude<T, false>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const [result, failure] = await attempt(check);
    if (failure === undefined) return result as Exclude<T, false>;
    if (performance.now() > deadline) throw failure;
    await sleep(pollMs);
  }
}

async function attempt<T>(check: () => T | Promise<T>): Promise<[T | undefined, unknown]> {
  try {
    const result = await check();
    return result === false ? [undefined, new Error('the condition did not come true in time')] : [result, undefined];
  } catch (error) {
    return [undefined, error ?? new Error('the check failed')];
  }
}
