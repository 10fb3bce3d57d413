/** What a caller hears of an execution. */
export interface Heard {
  /** What the signal has told besides, as JSON; absent: look into Postgres. */
  told?: string;
}

/** A caller that waits. */
export interface Listening {
  /** `undefined`: the time is up, the signal has fired, or nobody waits any more. */
  heard: Promise<Heard | undefined>;
  stop(): void;
}

/** Waits for executions to end, for callers that stay on the line. One per process, fed by the `ended` channel. */
export class EndedWaiter {
  readonly #waiting = new Map<string, Set<(heard: Heard | undefined) => void>>();
  #released = false;

  /** What the `ended` channel brings. */
  notify(executionIds: readonly string[], told: ReadonlyMap<string, string> = new Map()): void {
    for (const id of executionIds) {
      const json = told.get(id);
      const heard = json === undefined ? {} : { told: json };
      for (const settle of [...(this.#waiting.get(id) ?? [])]) settle(heard);
    }
  }

  /**
   * Hears of the next end, until `timeoutMs` are over, `signal` fires or with `releaseAll`, whichever is first. Call it before the execution can end
   * (before it is enqueued): what ended earlier is not heard.
   */
  listen(executionId: string, timeoutMs: number, signal?: AbortSignal): Listening {
    const { promise: heard, resolve } = Promise.withResolvers<Heard | undefined>();
    const stop = () => settle(undefined);
    const settle = (what: Heard | undefined) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      this.#remove(executionId, settle);
      resolve(what);
    };
    const timer = setTimeout(stop, timeoutMs);
    signal?.addEventListener('abort', stop);
    const others = this.#waiting.get(executionId) ?? new Set();
    this.#waiting.set(executionId, others.add(settle));
    if (signal?.aborted || this.#released) stop();
    return { heard, stop };
  }

  /** Whether it has been heard of the end; as `listen`, for one who has nothing else to stop for. */
  async wait(executionId: string, timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
    return (await this.listen(executionId, timeoutMs, signal).heard) !== undefined;
  }

  /** Ends every wait, and at once each that comes later: the process stops. */
  releaseAll(): void {
    this.#released = true;
    this.wakeAll();
  }

  /** Lets everybody who waits look for themselves: no word may come any more. */
  wakeAll(): void {
    for (const waiting of [...this.#waiting.values()]) for (const settle of [...waiting]) settle(undefined);
  }

  /** How many executions somebody waits for. */
  get size(): number {
    return this.#waiting.size;
  }

  #remove(executionId: string, settle: (heard: Heard | undefined) => void): void {
    const waiting = this.#waiting.get(executionId);
    waiting?.delete(settle);
    if (waiting?.size === 0) this.#waiting.delete(executionId);
  }
}
