import { retried } from './retried.ts';
import { toModelError } from './to-model-error.ts';

/** Calls a provider; its errors become ours, and those that may pass lead to another call. */
export function attempted<T>(maxRetries: number, signal: AbortSignal, work: () => PromiseLike<T>): Promise<T> {
  return retried(maxRetries, signal, async () => {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      throw toModelError(error);
    }
  });
}
