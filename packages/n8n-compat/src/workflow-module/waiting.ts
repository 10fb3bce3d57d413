import { setTimeout as delay } from 'node:timers/promises';

export async function sleep(ms: number): Promise<void> {
  await sleepWithAbort(ms);
}

/** Same as `sleep`, but rejects early when the signal is aborted. */
export async function sleepWithAbort(ms: number, signal?: AbortSignal): Promise<void> {
  await delay(Math.max(ms, 0), undefined, signal ? { signal } : undefined);
}

/** A promise with its resolve and reject functions. */
export function createDeferredPromise<T = void>(): PromiseWithResolvers<T> {
  return Promise.withResolvers<T>();
}
