/** The workflow and node that request a thread. */
export interface CallOrigin {
  readonly workflowId: string;
  readonly nodeName: string;
}

/** The thread share of a running call. */
export interface ThreadShare {
  readonly origin: CallOrigin;
  isSlow: boolean;
}

/** Milliseconds after which a call is considered slow. */
export const slowAfterMs = 50;
/**
 * Slow calls may use this many times the configured threads, in addition to the configured threads.
 */
const spareFactor = 3;
/** Memory limit of all spare threads in MiB, if it exceeds the memory of the configured threads. */
const spareMemoryMb = 1_024;
/** Minimum limit of slow calls per workflow, even if there is only one thread. */
const leastPerWorkflow = 2;
const rememberedNodes = 1_000;

/**
 * Determines which call may use a thread, so that endless code delays neither other workflows nor
 * short code.
 *
 * - Quick calls have `threads` threads. A call that became slow is no longer counted: a spare thread
 *   replaces its own.
 * - A node whose last call was slow starts its next call as slow.
 * - Slow calls have the spare threads, but calls of one workflow at most `threads` of them. At this
 *   limit, a workflow waits until one of its calls ends.
 */
export class ThreadShares {
  /** Maximum number of concurrent threads. */
  readonly max: number;
  readonly #threads: number;
  readonly #perWorkflow: number;
  /** Nodes whose last call was slow, most recent last. */
  readonly #slowNodes = new Set<string>();
  readonly #running: Record<Pace, Counter> = { quick: new Counter(), slow: new Counter() };

  constructor({ threads, memoryMb }: { threads: number; memoryMb: number }) {
    this.#threads = threads;
    this.#perWorkflow = Math.max(leastPerWorkflow, threads);
    const affordable = Math.max(threads, Math.floor(spareMemoryMb / memoryMb));
    this.max = threads + Math.min(spareFactor * threads, affordable);
  }

  mayBegin(origin: CallOrigin): boolean {
    const { quick, slow } = this.#running;
    const slowOfWorkflow = slow.of(origin.workflowId);
    if (quick.total + slow.total >= this.max || slowOfWorkflow >= this.#perWorkflow) return false;
    if (!this.#slowNodes.has(keyOf(origin))) return quick.total < this.#threads;
    // Calls that are still quick may become slow, too.
    return slow.total < this.max - this.#threads && slowOfWorkflow + quick.of(origin.workflowId) < this.#perWorkflow;
  }

  begin(origin: CallOrigin): ThreadShare {
    const share: ThreadShare = { origin, isSlow: this.#slowNodes.has(keyOf(origin)) };
    this.#running[paceOf(share)].add(origin.workflowId, 1);
    return share;
  }

  /** Marks the call as slow. */
  slowDown(share: ThreadShare): void {
    this.#remember(share.origin, true);
    this.#running[paceOf(share)].add(share.origin.workflowId, -1);
    share.isSlow = true;
    this.#running.slow.add(share.origin.workflowId, 1);
  }

  /** `tookMs`: processor time of the call; `undefined` if it did not finish. */
  end(share: ThreadShare, tookMs: number | undefined): void {
    this.#running[paceOf(share)].add(share.origin.workflowId, -1);
    if (tookMs !== undefined) this.#remember(share.origin, tookMs >= slowAfterMs);
  }

  #remember(origin: CallOrigin, isSlow: boolean): void {
    const key = keyOf(origin);
    this.#slowNodes.delete(key);
    if (isSlow) this.#slowNodes.add(key);
    const [oldest] = this.#slowNodes;
    if (this.#slowNodes.size > rememberedNodes && oldest !== undefined) this.#slowNodes.delete(oldest);
  }
}

type Pace = 'quick' | 'slow';

function paceOf({ isSlow }: ThreadShare): Pace {
  return isSlow ? 'slow' : 'quick';
}

/** Counts per key and in total. */
class Counter {
  readonly #counts = new Map<string, number>();
  total = 0;

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: string, by: 1 | -1): void {
    this.total += by;
    const count = this.of(key) + by;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }
}

function keyOf({ workflowId, nodeName }: CallOrigin): string {
  return JSON.stringify([workflowId, nodeName]);
}
