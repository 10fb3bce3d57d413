import { getHeapStatistics } from 'node:v8';
import type { NodeRun } from '../workflow/node-run.ts';
import { MemoryShare, type ShareOptions, small } from './memory-share.ts';

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

  /** The share of one execution, response, poll, or listener; its waits are aborted when the signal fires. */
  open(signal: AbortSignal, options?: ShareOptions): MemoryShare {
    const owner = {
      fits: (bytes: number) => !this.isExceeded && this.#fits(bytes),
      hasRoom: (bytes: number) => this.#hasRoom(bytes),
      waits: () => this.#admit(),
      lowered: () => this.#roomMade(),
      closed: () => {
        this.#shares.delete(share);
        this.#roomMade();
      },
    };
    const share = new MemoryShare(signal, owner, options);
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
