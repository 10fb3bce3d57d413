import { setTimeout as delay } from 'node:timers/promises';

export async function sleep(ms: number): Promise<void> {
  await sleepWithAbort(ms);
}

/** As `sleep`; ends early, with an error, when the signal fires. */
export async function sleepWithAbort(ms: number, signal?: AbortSignal): Promise<void> {
  await delay(Math.max(ms, 0), undefined, signal ? { signal } : undefined);
}

/** What someone who waits is told later. */
export function createDeferredPromise<T = void>(): PromiseWithResolvers<T> {
  return Promise.withResolvers<T>();
}
