/**
 * Lets the engine stop waiting the moment a signal fires, also for work that ignores the signal.
 *
 * Holds one listener for the whole run and one waiter at a time, which is all that a sequential walk needs; `Promise.race` with a
 * promise that lives as long as the run would keep a reaction for every node run. `close` when the run is over.
 */
export class AbortWatch {
  readonly signal: AbortSignal;
  #giveUp: ((reason: unknown) => void) | undefined;

  constructor(signal: AbortSignal) {
    this.signal = signal;
    signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** The value itself when it is no promise; else a promise that also rejects, with the signal's reason, when the signal fires. */
  settle<T>(value: T | PromiseLike<T>): T | Promise<T> {
    return isPromiseLike(value) ? this.#race(value) : value;
  }

  close(): void {
    this.signal.removeEventListener('abort', this.#onAbort);
  }

  readonly #onAbort = (): void => this.#giveUp?.(this.signal.reason);

  #race<T>(work: PromiseLike<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#giveUp = reject;
      work.then(resolve, reject);
      if (this.signal.aborted) reject(this.signal.reason);
    });
  }
}

function isPromiseLike<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
