/** A notification about an execution: it ended, started to wait, or has a response. */
interface ExecutionNotification {
  /** JSON sent with the notification; absent: read the state from Postgres. */
  data?: string;
}

/** One caller's subscription to the next notification about an execution. */
export interface Subscription {
  /** `undefined`: timeout, abort, `unsubscribe`, or a release came first. */
  next: Promise<ExecutionNotification | undefined>;
  unsubscribe(): void;
}

/**
 * Notifies requests in flight about their executions, from the signals that this process receives.
 */
export class ExecutionNotifier {
  readonly #subscribers = new Map<string, Set<(notification: ExecutionNotification | undefined) => void>>();
  #released = false;

  /** Passes a signal on. `data`: JSON by execution id. */
  notify(executionIds: readonly string[], data: ReadonlyMap<string, string> = new Map()): void {
    for (const id of executionIds) {
      const json = data.get(id);
      const notification = json === undefined ? {} : { data: json };
      for (const settle of [...(this.#subscribers.get(id) ?? [])]) settle(notification);
    }
  }

  /**
   * Subscribes to the next notification, until `timeoutMs` have passed, `signal` aborts, or
   * `releaseAll` is called. Subscribe before the execution is enqueued: earlier signals are lost.
   */
  subscribe(executionId: string, timeoutMs: number, signal?: AbortSignal): Subscription {
    const { promise: next, resolve } = Promise.withResolvers<ExecutionNotification | undefined>();
    const unsubscribe = () => settle(undefined);
    const settle = (notification: ExecutionNotification | undefined) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', unsubscribe);
      this.#remove(executionId, settle);
      resolve(notification);
    };
    const timer = setTimeout(unsubscribe, timeoutMs);
    signal?.addEventListener('abort', unsubscribe);
    const others = this.#subscribers.get(executionId) ?? new Set();
    this.#subscribers.set(executionId, others.add(settle));
    if (signal?.aborted || this.#released) unsubscribe();
    return { next, unsubscribe };
  }

  /**
   * Reads at once, after each notification, and every `pollMs`, until `read` resolves to a result.
   * Subscribes before each read, so that no notification falls between the two. `undefined` once
   * `timeoutMs` have passed, `signal` aborts, or `releaseAll` is called.
   */
  async readUntil<Result extends object>(
    executionId: string,
    { timeoutMs, pollMs = timeoutMs, signal }: { timeoutMs: number; pollMs?: number; signal: AbortSignal },
    read: () => Promise<Result | undefined>,
  ): Promise<Result | undefined> {
    const until = performance.now() + timeoutMs;
    for (;;) {
      const remainingMs = until - performance.now();
      const subscription = this.subscribe(executionId, Math.max(1, Math.min(pollMs, remainingMs)), signal);
      try {
        const result = await read();
        if (result || remainingMs <= 0 || signal.aborted || this.#released) return result;
        await subscription.next;
      } finally {
        subscription.unsubscribe();
      }
    }
  }

  /** Ends all subscriptions, and later ones immediately; for shutdown. */
  releaseAll(): void {
    this.#released = true;
    this.wakeAll();
  }

  /**
   * Ends every current subscription, so that callers read the state themselves: signals may be
   * lost.
   */
  wakeAll(): void {
    for (const subscribers of [...this.#subscribers.values()]) for (const settle of [...subscribers]) settle(undefined);
  }

  /** Number of executions with a subscriber. */
  get size(): number {
    return this.#subscribers.size;
  }

  #remove(executionId: string, settle: (notification: ExecutionNotification | undefined) => void): void {
    const subscribers = this.#subscribers.get(executionId);
    subscribers?.delete(settle);
    if (subscribers?.size === 0) this.#subscribers.delete(executionId);
  }
}
