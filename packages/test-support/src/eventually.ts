import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 20;

/**
 * Repeats `check` until it neither throws nor returns `false`, and resolves to its result. At the
 * timeout, rejects with the last failure. The default is a minute: a successful wait takes no
 * longer than needed, and a failure may come late on a slow machine.
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
    return result === false ? [undefined, new Error('the condition did not become true in time')] : [result, undefined];
  } catch (error) {
    return [undefined, error ?? new Error('the check failed')];
  }
}
