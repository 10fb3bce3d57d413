import { AsyncLocalStorage } from 'node:async_hooks';
import { getHeapStatistics } from 'node:v8';
import { AppError } from '../errors.ts';
import type { NodeRun } from '../workflow/node-run.ts';
import { untilAborted } from './bounded-wait.ts';

/**
 * Estimated memory usage of data in bytes, from the length of its JSON. V8 needs about twice that
 * length for short strings and properties, and three small objects per item.
 */
export function dataSize(jsonLength: number, items = 0): number {
  return jsonLength * 2 + items * 200;
}

/** Number of items in all outputs. */
export function itemCount({ data = {} }: Pick<NodeRun, 'data'>): number {
  let count = 0;
  for (const outputs of Object.values(data)) for (const items of outputs) count += items?.length ?? 0;
  return count;
}

export interface MemoryBudgetOptions {
  /** Memory of the process in bytes. */
  limit: number;
  /** Share of the limit that is in use. */
  inUse: () => number;
  /** Bytes that the process may still allocate, buffers and threads included. Default: no limit. */
  left?: () => number;
}

/** Share of the memory for data; the rest is for processing it and for everything else. */
const dataShare = 0.4;
/** Size in bytes up to which work never waits: the total of so little data is small. */
const small = 1024 * 1024;
/**
 * Share of the memory up to which work continues beyond the budget, which is an estimate. The
 * memory in use is checked only occasionally, so that the data of continued work is in memory by
 * the next check.
 */
const maxUse = 0.7;
const intervalMs = 2_000;
/** Share of the container's memory up to which several results are computed at the same time. */
const maxContainerUse = 0.8;
/**
 * How long data that arrives waits for memory. Its sender waits too, so a longer wait would end with
 * an error of the connection.
 */
const maxArrivalMs = 180_000;

interface Waiter {
  /** Bytes to reserve, including those received; for a result, its own. */
  bytes: number;
  /** Whether it waits to compute a result; see `room`. */
  isResult: boolean;
  resumed: Promise<void>;
  resume: () => void;
}

/**
 * The larger share in use: of the heap's limit, by the heap and the buffers outside of it, such as
 * response bodies and files; or of the container's limit.
 */
export function memoryInUse(): number {
  const { used_heap_size: used, external_memory: buffers, heap_size_limit: limit } = getHeapStatistics();
  return Math.max((used + buffers) / limit, process.memoryUsage.rss() / containerMemory());
}

/** The container's memory limit in bytes; infinite if there is none. */
export function containerMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 && Number.isSafeInteger(limit) ? limit : Number.POSITIVE_INFINITY;
}

/**
 * Memory for the data of concurrent work: the executions of a worker, whose outputs the engine
 * keeps until their end, or the responses of an API process. Beyond the budget, work with much data
 * waits and the oldest continues, so that the work finishes one by one instead of exhausting the
 * memory of the process.
 */
export class MemoryBudget {
  readonly #options: MemoryBudgetOptions;
  /** Oldest first. */
  readonly #shares = new Set<MemoryShare>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: MemoryBudgetOptions) {
    this.#options = options;
  }

  /** Memory for this process's data. */
  static ofProcess(): MemoryBudget {
    const container = containerMemory();
    return new MemoryBudget({
      limit: Math.min(getHeapStatistics().heap_size_limit, container),
      inUse: memoryInUse,
      ...(Number.isFinite(container) && { left: () => container * maxContainerUse - process.memoryUsage.rss() }),
    });
  }

  /** Whether work waits for memory. */
  get isExceeded(): boolean {
    return this.#timer !== undefined;
  }

  /** The share of one execution or response; its waits are aborted when the signal fires. */
  open(signal: AbortSignal): MemoryShare {
    const share = new MemoryShare(signal, {
      fits: (bytes) => !this.isExceeded && this.#fits(bytes),
      hasRoom: (bytes) => this.#hasRoom(bytes),
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
    return total <= this.#options.limit * dataShare;
  }

  #roomMade(): void {
    if (this.isExceeded) this.#admit();
  }

  /** Resumes all that fit, or the oldest one if nothing else can make room. */
  #admit(isDue = false): void {
    const waiting = [...this.#shares].filter(({ waiter }) => waiter);
    for (const share of waiting) if (share.waiter?.isResult && this.#hasRoom(share.missing)) share.resume();
    const [oldest, ...others] = waiting.filter(({ waiter }) => waiter && !waiter.isResult);
    let isAdmitted = false;
    for (const share of oldest ? [oldest, ...others] : []) {
      if (!this.#fits(share.missing)) break;
      share.resume();
      isAdmitted = true;
    }
    const othersRun = [...this.#shares].some(({ size, waiter }) => !waiter && size > small);
    if (!isAdmitted && oldest && (!othersRun || (isDue && this.#isSpare(oldest.missing)))) oldest.resume();
    this.#watch();
  }

  #isSpare(bytes: number): boolean {
    const { limit, inUse } = this.#options;
    return inUse() + (bytes + this.#computing) / limit <= maxUse;
  }

  /** Whether another result may be computed: one always may. */
  #hasRoom(bytes: number): boolean {
    const { left } = this.#options;
    if (this.#computing === 0) return true;
    if (left && left() < bytes + this.#computing) return false;
    return this.#fits(bytes) || this.#isSpare(bytes);
  }

  /** Size of the results that will be in memory soon. */
  get #computing(): number {
    let total = 0;
    for (const { computing } of this.#shares) total += computing;
    return total;
  }

  /** Checks the memory in use regularly while work waits. */
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
  hasRoom(bytes: number): boolean;
  waits(): void;
  lowered(): void;
  closed(): void;
}

const current = new AsyncLocalStorage<MemoryShare>();

/** The memory of the execution that the calling code belongs to; `undefined` outside of executions. */
export function currentMemory(): MemoryShare | undefined {
  return current.getStore();
}

/** Memory for the data of one execution or response. */
export class MemoryShare implements Disposable {
  readonly #signal: AbortSignal;
  readonly #owner: ShareOwner;
  #held = 0;
  #reserved = 0;
  #received = 0;
  #largest = 0;
  #waiter: Waiter | undefined;
  /** Size of results that are computed, and of those that are not yet part of an output; see `room`. */
  #computing = 0;
  /** Size of a result that may be computed after a wait. */
  #admitted = 0;
  #isClosed = false;

  constructor(signal: AbortSignal, owner: ShareOwner) {
    this.#signal = signal;
    this.#owner = owner;
  }

  /** Bytes of its data and of the data that arrives or is expected. */
  get size(): number {
    return this.#held + this.#incoming + this.#computing;
  }

  get computing(): number {
    return this.#computing;
  }

  get waiter(): Waiter | undefined {
    return this.#waiter;
  }

  /** Bytes that it waits for. */
  get missing(): number {
    const { bytes, isResult } = this.#waiter ?? { bytes: 0, isResult: true };
    return isResult ? bytes : Math.max(0, bytes - this.#incoming);
  }

  get #incoming(): number {
    return Math.max(this.#reserved, this.#received);
  }

  /** Runs the execution's code: `currentMemory` is this share in all that it calls. */
  run<T>(work: () => T): T {
    return current.run(this, work);
  }

  /**
   * Reserves memory for the next data; waits until there is room. Default: the size of the largest data so
   * far, because most nodes return about as much as they receive. Callers that wait at the same time wait
   * together, for the largest of their sizes. Rejects with the reason of the signal.
   */
  reserve(bytes = this.#largest): void | Promise<void> {
    const isReserved = bytes <= this.#incoming;
    if (!this.#waiter && (isReserved || this.#held + bytes <= small || this.#owner.fits(bytes - this.#incoming))) {
      this.#reserved = Math.max(this.#reserved, bytes);
      return;
    }
    return untilAborted(this.#wait(bytes), this.#signal);
  }

  /** Starts a node: what the last one received is now part of its output, or no longer needed. */
  startNode(): void | Promise<void> {
    this.#computing = 0;
    if (this.#received > 0) {
      this.#received = 0;
      this.reserveOnly(this.#largest);
    }
    this.#admitted = 0;
    return this.reserve();
  }

  /**
   * Counts data that the running node receives, such as a piece of a response, until its run ends.
   * Waits until there is room: the caller reads no more until then. Rejects with the reason of the
   * signal, and with `MEMORY_UNAVAILABLE` after three minutes.
   */
  receive(bytes: number): void | Promise<void> {
    const total = this.#received + bytes;
    const isSmall = total <= this.#reserved || this.#held + total <= small;
    if (this.#isClosed || isSmall || (!this.#waiter && this.#owner.fits(total - this.#incoming))) {
      this.#received = total;
      return;
    }
    const wanted = this.#waiter ? this.#waiter.bytes + bytes : Math.max(total, this.#received * 2);
    return this.#arrival(this.#wait(wanted)).then(() => this.count(bytes));
  }

  /** Counts data that has already been received; the next `receive` waits for it. */
  count(bytes: number): void {
    this.#received += bytes;
  }

  /**
   * Reserves memory for a result of up to this size, which cannot wait once it is computed; `took` ends
   * the reservation. A caller that has to wait releases the thread or other resource that it computes
   * with, and calls this method again once it has another. Rejects with the reason of the signal.
   */
  room(bytes: number): void | Promise<void> {
    if (bytes <= this.#admitted) {
      this.#admitted = 0;
    } else if (this.#isClosed || (!this.#waiter && this.#owner.hasRoom(bytes))) {
      this.#computing += bytes;
    } else {
      return untilAborted(this.#wait(bytes, true), this.#signal);
    }
  }

  /** Counts `bytes` of a result that had `room`, until its node's run ends. */
  took(bytes: number, room: number): void {
    this.#computing = Math.max(0, this.#computing + bytes - room);
    if (room > bytes) this.#owner.lowered();
  }

  /** Counts data that has arrived, and lowers the reservation by it. `largest`: its largest part. */
  hold(bytes: number, largest = bytes): void {
    this.#held += bytes;
    this.#reserved = Math.max(0, this.#reserved - bytes);
    this.#received = Math.max(0, this.#received - bytes);
    this.#computing = Math.max(0, this.#computing - bytes);
    this.#largest = Math.max(this.#largest, largest);
  }

  /** Lowers the reservation to this many bytes. */
  reserveOnly(bytes: number): void {
    if (this.#reserved <= bytes) return;
    this.#reserved = bytes;
    this.#owner.lowered();
  }

  /** Ends the wait with its bytes reserved. */
  resume(): void {
    if (!this.#waiter) return;
    const { bytes, isResult, resume } = this.#waiter;
    this.#waiter = undefined;
    if (isResult) {
      this.#admitted = bytes;
      this.#computing += bytes;
    } else {
      this.#reserved = bytes;
    }
    resume();
  }

  /** Ends the execution's share. What still waits, such as a reader that a node left behind, counts no more. */
  [Symbol.dispose](): void {
    this.#isClosed = true;
    if (!this.#signal.aborted) this.resume(); // an aborted one rejects
    this.#owner.closed();
  }

  /** Resolves when this many bytes are reserved, including those received; at an earlier wait's end if there is one. */
  #wait(bytes: number, isResult = false): Promise<void> {
    if (this.#waiter) {
      if (!isResult && !this.#waiter.isResult) this.#waiter.bytes = Math.max(this.#waiter.bytes, bytes);
      return this.#waiter.resumed;
    }
    const { promise: resumed, resolve: resume } = Promise.withResolvers<void>();
    if (!isResult) this.#reserved = 0;
    this.#waiter = { bytes, isResult, resumed, resume };
    this.#owner.waits();
    return resumed;
  }

  async #arrival(resumed: Promise<void>): Promise<void> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(noMemory()), maxArrivalMs).unref();
    try {
      await untilAborted(resumed, AbortSignal.any([this.#signal, late.signal]));
    } catch (error) {
      if (this.#waiter?.resumed === resumed && !this.#waiter.isResult) this.#giveUp(this.#waiter);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  #giveUp(waiter: Waiter): void {
    waiter.bytes = this.#received;
    this.resume();
  }
}

function noMemory(): AppError {
  return new AppError({
    code: 'MEMORY_UNAVAILABLE',
    message: `the worker had no memory for the data within ${maxArrivalMs / 1_000} seconds, because other executions needed it`,
    kind: 'transient',
  });
}
