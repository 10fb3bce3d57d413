import { retried } from './retried.ts';
import { toModelError } from './to-model-error.ts';

/** Calls a provider. Converts its errors to ours and retries transient ones. */
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
