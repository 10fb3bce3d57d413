import type { afterAll, afterEach } from '@jest/globals';

type Started = { stop(): Promise<unknown> } | { dispose(): Promise<unknown> };

/**
 * `const ended = endedBy(afterAll); const service = ended(await startService());`: registered
 * objects are stopped when the hook runs, in reverse order, regardless of failed tests and stops.
 */
export function endedBy(hook: typeof afterAll | typeof afterEach): <T extends Started>(thing: T) => T {
  const started: Started[] = [];
  hook(async () => {
    const failures: unknown[] = [];
    for (const thing of started.splice(0).reverse()) {
      await ('dispose' in thing ? thing.dispose() : thing.stop()).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw new AggregateError(failures, 'not everything that the tests have started could be stopped');
  });
  return (thing) => {
    started.push(thing);
    return thing;
  };
}
