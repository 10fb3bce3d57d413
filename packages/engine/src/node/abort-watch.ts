/**
 * Lets the engine stop waiting as soon as a signal fires, even if the work ignores the signal.
 *
 * Keeps one listener for the whole run and one waiter at a time, which is all that a sequential
 * walk needs. `Promise.race` with a promise that lives as long as the run would retain a reaction
 * for every node run. Call `close` when the run ends.
 */
export class AbortWatch {
  readonly signal: AbortSignal;
  #reject: ((reason: unknown) => void) | undefined;

  constructor(signal: AbortSignal) {
    this.signal = signal;
    signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  /**
   * Returns a plain value as is. A promise also rejects, with the signal's reason, when the signal
   * fires.
   */
  settle<T>(value: T | PromiseLike<T>): T | Promise<T> {
    return isPromiseLike(value) ? this.#race(value) : value;
  }

  close(): void {
    this.signal.removeEventListener('abort', this.#onAbort);
  }

  readonly #onAbort = (): void => this.#reject?.(this.signal.reason);

  #race<T>(work: PromiseLike<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      work.then(resolve, reject);
      if (this.signal.aborted) reject(this.signal.reason);
    });
  }
}

export function isPromiseLike<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
