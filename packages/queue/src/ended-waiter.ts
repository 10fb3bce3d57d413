/** Waits for executions to end, for callers that stay on the line. One per process, fed by the `ended` channel. */
export class EndedWaiter {
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #released = new AbortController();

  /** What the `ended` channel brings. */
  notify(executionIds: readonly string[]): void {
    for (const id of executionIds) for (const wake of this.#waiting.get(id) ?? []) wake();
  }

  /**
   * Resolves to true when the execution ends, to false after `timeoutMs`, when `signal` fires or with `releaseAll`, whichever is first. Call it
   * before the execution can end (before it is enqueued): what ended earlier is not seen.
   */
  wait(executionId: string, timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (ended: boolean) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        this.#released.signal.removeEventListener('abort', onAbort);
        this.#remove(executionId, onEnded);
        resolve(ended);
      };
      const onEnded = () => settle(true);
      const onAbort = () => settle(false);
      const timer = setTimeout(onAbort, timeoutMs);
      signal?.addEventListener('abort', onAbort);
      this.#released.signal.addEventListener('abort', onAbort);
      const others = this.#waiting.get(executionId) ?? new Set();
      this.#waiting.set(executionId, others.add(onEnded));
      if (signal?.aborted || this.#released.signal.aborted) onAbort();
    });
  }

  /** Ends every wait, and at once each that comes later: the process stops. */
  releaseAll(): void {
    this.#released.abort();
  }

  /** How many executions somebody waits for. */
  get size(): number {
    return this.#waiting.size;
  }

  #remove(executionId: string, wake: () => void): void {
    const waiting = this.#waiting.get(executionId);
    waiting?.delete(wake);
    if (waiting?.size === 0) this.#waiting.delete(executionId);
  }
}
