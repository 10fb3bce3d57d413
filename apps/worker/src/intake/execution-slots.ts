interface ExecutionSlotsOptions {
  /** Maximum number of unacknowledged jobs that the queue delivers. */
  deliveries: number;
  /** Current maximum number of concurrent executions. */
  limit: () => number;
}

interface Waiting {
  count: number;
  resolve: (slots: number) => void;
}

/**
 * Slots for executions, occupied for longer than their jobs exist. A job is acknowledged once its
 * executions are claimed, because from then on Postgres records who runs them. While no slot is
 * free, jobs stay unacknowledged, and the queue delivers no more.
 */
export class ExecutionSlots {
  readonly #options: ExecutionSlotsOptions;
  readonly #acknowledgements: (() => void)[] = [];
  /** Jobs that have more executions than slots. */
  readonly #waiting: Waiting[] = [];
  readonly #empty: (() => void)[] = [];
  #occupied = 0;
  #freedAt = performance.now();
  #unacknowledged = 0;
  #isRefreshing = false;
  #isClosing = false;

  constructor(options: ExecutionSlotsOptions) {
    this.#options = options;
  }

  /** Number of occupied slots. */
  get occupied(): number {
    return this.#occupied;
  }

  /**
   * Occupies slots for a delivered job of `count` executions: at least one, but leaves one for each
   * job that the queue may still deliver. Returns the number of occupied slots.
   */
  occupy(count: number): number {
    this.#unacknowledged += 1;
    const slots = Math.max(1, Math.min(count, this.#free - this.#deliverable));
    this.#occupied += slots;
    return slots;
  }

  /** Occupies a slot beyond the limit. */
  exceed(): void {
    this.#occupied += 1;
  }

  /**
   * Occupies slots for the rest of a delivered job as soon as some are free; resolves to their
   * number, 0 if that takes longer than `patienceMs`.
   */
  async occupyMore(count: number, patienceMs: number): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>();
    const waiting: Waiting = { count, resolve };
    this.#waiting.push(waiting);
    this.refresh();
    const timer = setTimeout(() => {
      const at = this.#waiting.indexOf(waiting);
      if (at >= 0) this.#waiting.splice(at, 1)[0]?.resolve(0);
    }, patienceMs);
    return promise.finally(() => clearTimeout(timer));
  }

  /** Milliseconds since a slot within the limit was last freed. */
  get stalledMs(): number {
    return performance.now() - this.#freedAt;
  }

  get hasFree(): boolean {
    return this.#free > 0;
  }

  /** Whether more executions would run if there were more slots. */
  get isFull(): boolean {
    return this.#waiting.length > 0 || this.#acknowledgements.length > 0;
  }

  /**
   * Whether an occupied slot may take another execution when its own has ended: it still exists,
   * and no job waits for it.
   */
  get mayContinue(): boolean {
    return !this.#isClosing && !this.isFull && this.#free >= 0;
  }

  /**
   * Frees one slot. Executions that end by the same statement free their slots together, and a job
   * gets all of these at once, so that few statements claim its executions. `isBeyond`: `exceed`
   * occupied it.
   */
  free({ isBeyond = false } = {}): void {
    this.#occupied -= 1;
    if (!isBeyond) this.#freedAt = performance.now();
    if (!this.#isRefreshing) {
      this.#isRefreshing = true;
      queueMicrotask(() => {
        this.#isRefreshing = false;
        this.refresh();
      });
    }
    if (this.#occupied === 0) for (const resolve of this.#empty.splice(0)) resolve();
  }

  /** Resolves when a delivered job may be acknowledged. */
  acknowledge(): Promise<void> {
    return new Promise((resolve) => {
      this.#acknowledgements.push(resolve);
      this.refresh();
    });
  }

  /** Call this when a delivered job is dropped. */
  drop(): void {
    this.#unacknowledged -= 1;
  }

  /**
   * Assigns free slots to waiting jobs, and then acknowledges jobs for which there is a slot; call
   * this after a change of the limit.
   */
  refresh(): void {
    while (this.#waiting.length > 0 && this.#deliverable < this.#free) {
      const { count, resolve } = this.#waiting.shift() as Waiting;
      const slots = Math.min(count, this.#free - this.#deliverable);
      this.#occupied += slots;
      resolve(slots);
    }
    while (this.#acknowledgements.length > 0 && (this.#isClosing || this.#deliverable < this.#free)) {
      this.#unacknowledged -= 1;
      this.#acknowledgements.shift()?.();
    }
  }

  /**
   * Acknowledges all jobs; resolves when no slot is occupied. Call this again once the queue
   * delivers no more.
   */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const { resolve } of this.#waiting.splice(0)) resolve(0);
    this.refresh();
    if (this.#occupied > 0) await new Promise<void>((resolve) => this.#empty.push(resolve));
  }

  get #free(): number {
    return this.#options.limit() - this.#occupied;
  }

  /** Number of jobs that the queue may deliver before one is acknowledged. */
  get #deliverable(): number {
    return this.#options.deliveries - this.#unacknowledged;
  }
}
