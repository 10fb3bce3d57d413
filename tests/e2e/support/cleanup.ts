import type { afterAll, afterEach } from '@jest/globals';

type Started = { stop(): Promise<unknown> } | { dispose(): Promise<unknown> };

/**
 * `const stopAfterAll = stopIn(afterAll); const service = stopAfterAll(await startService());`
 * stops the registered objects when the hook runs, in reverse order, even if tests or other stops
 * fail.
 */
export function stopIn(hook: typeof afterAll | typeof afterEach): <T extends Started>(thing: T) => T {
  const started: Started[] = [];
  hook(async () => {
    const failures: unknown[] = [];
    for (const thing of started.splice(0).reverse()) {
      await ('dispose' in thing ? thing.dispose() : thing.stop()).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw new AggregateError(failures, 'the cleanup failed to stop some of what the tests started');
  });
  return (thing) => {
    started.push(thing);
    return thing;
  };
}
