import { type NodeRun, untilAborted } from '@sluice/domain';

/**
 * Estimated bytes of memory that data takes, from the length of its JSON. V8 needs about twice that length
 * for short texts and properties, and three small objects per item.
 */
export function dataSize(jsonLength: number, items = 0): number {
  return jsonLength * 2 + items * 200;
}

/** Items of all outputs. */
export function itemCount({ data = {} }: Pick<NodeRun, 'data'>): number {
  let count = 0;
  for (const outputs of Object.values(data)) for (const items of outputs) count += items?.length ?? 0;
  return count;
}

export interface MemoryBudgetOptions {
  /** Estimated bytes of the data of all executions beyond which large ones wait. */
  bytes: number;
  /** Share of the memory limit of the process that is in use. */
  inUse: () => number;
}

/** Bytes up to which an execution never waits, and others do not wait for it. */
const small = 1024 * 1024;
/** Share of the memory limit in use below which the oldest execution continues although the estimate exceeds the budget. */
const lowUse = 0.6;
const intervalMs = 250;

interface Waiter {
  /** To reserve. */
  bytes: number;
  resume: () => void;
}

/**
 * Memory for the data of the executions of a worker: the engine keeps all outputs of an execution until its
 * end. Beyond the budget, executions with much data wait before their next node, and the oldest continues.
 * They finish one after another instead of exhausting the memory of the process.
 */
export class MemoryBudget {
  readonly #options: MemoryBudgetOptions;
  /** Oldest first. */
  readonly #shares = new Set<MemoryShare>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: MemoryBudgetOptions) {
    this.#options = options;
  }

  /** Whether executions wait for memory. */
  get isExceeded(): boolean {
    return this.#timer !== undefined;
  }

  /** The share of an execution; its waits end when the signal fires. */
  open(signal: AbortSignal): MemoryShare {
    const share = new MemoryShare(signal, {
      fits: (bytes) => !this.isExceeded && this.#fits(bytes),
      waits: () => this.#admit(),
      lowered: () => this.#roomMade(),
      closed: () => {
        this.#shares.delete(share);
        this.#roomMade();
      },
    });
    this.#shares.add(share);
    return share;
  }

  #fits(bytes: number): boolean {
    let total = bytes;
    for (const share of this.#shares) total += share.size;
    return total <= this.#options.bytes;
  }

  #roomMade(): void {
    if (this.isExceeded) this.#admit();
  }

  /** Resumes all that fit, or the oldest one if nothing else can make room. */
  #admit(isDue = false): void {
    const waiting = [...this.#shares].filter(({ waiter }) => waiter);
    const oldest = waiting[0];
    let isAdmitted = false;
    for (const share of waiting) {
      if (!share.waiter || !this.#fits(share.waiter.bytes)) break;
      share.resume();
      isAdmitted = true;
    }
    const othersRun = [...this.#shares].some(({ size, waiter }) => !waiter && size > small);
    if (!isAdmitted && oldest && (!othersRun || (isDue && this.#options.inUse() < lowUse))) oldest.resume();
    this.#watch();
  }

  /** Checks the memory in use regularly while executions wait. */
  #watch(): void {
    const isWaiting = [...this.#shares].some(({ waiter }) => waiter);
    if (isWaiting) this.#timer ??= setInterval(() => this.#admit(true), intervalMs).unref();
    else {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }
}

interface ShareOwner {
  fits(bytes: number): boolean;
  waits(): void;
  lowered(): void;
  closed(): void;
}

/** Memory for the data of one execution. */
export class MemoryShare implements Disposable {
  readonly #signal: AbortSignal;
  readonly #owner: ShareOwner;
  #held = 0;
  #reserved = 0;
  #largest = 0;
  #waiter: Waiter | undefined;

  constructor(signal: AbortSignal, owner: ShareOwner) {
    this.#signal = signal;
    this.#owner = owner;
  }

  /** Bytes of its data and of its reservation. */
  get size(): number {
    return this.#held + this.#reserved;
  }

  get waiter(): Waiter | undefined {
    return this.#waiter;
  }

  /**
   * Reserves memory for the next data; waits until there is room. Default: the size of the largest data so
   * far, because most nodes return about as much as they receive. Rejects with the reason of the signal.
   */
  reserve(bytes = this.#largest): void | Promise<void> {
    const isReserved = bytes <= this.#reserved;
    if (isReserved || this.#held + bytes <= small || this.#owner.fits(bytes - this.#reserved)) {
      this.#reserved = Math.max(this.#reserved, bytes);
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#reserved = 0;
    this.#waiter = { bytes, resume: resolve };
    this.#owner.waits();
    return untilAborted(promise, this.#signal);
  }

  /** Counts data that has arrived, and lowers the reservation by it. `largest`: its largest part. */
  hold(bytes: number, largest = bytes): void {
    this.#held += bytes;
    this.#reserved = Math.max(0, this.#reserved - bytes);
    this.#largest = Math.max(this.#largest, largest);
  }

  /** Lowers the reservation to these bytes. */
  reserveOnly(bytes: number): void {
    if (this.#reserved <= bytes) return;
    this.#reserved = bytes;
    this.#owner.lowered();
  }

  /** Ends the wait with its bytes reserved. */
  resume(): void {
    if (!this.#waiter) return;
    this.#reserved = this.#waiter.bytes;
    this.#waiter.resume();
    this.#waiter = undefined;
  }

  [Symbol.dispose](): void {
    this.#owner.closed();
  }
}
