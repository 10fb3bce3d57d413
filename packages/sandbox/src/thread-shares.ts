/** Who asks for a thread. */
export interface CallOrigin {
  readonly workflowId: string;
  readonly nodeName: string;
}

/** A call that has a thread. */
export interface ThreadShare {
  readonly origin: CallOrigin;
  isSlow: boolean;
}

/** Milliseconds from which on a call is slow. */
export const slowAfterMs = 50;
/** Threads beside slow calls are never fewer than the configured ones; this many times as many may be slow. */
const spareFactor = 3;
/** What the spare threads may take in all, in MiB, if they are more than the configured ones. */
const spareMemoryMb = 1_024;
/** Of slow calls of one workflow, even where there is one thread only. */
const leastPerWorkflow = 2;
const rememberedNodes = 1_000;

/**
 * Says which call may have a thread, so that code that does not end holds up neither other workflows nor short code.
 *
 * - Quick calls have `threads` threads. A call that has become slow does not count among them: a spare thread makes up for its own.
 * - A node whose last call was slow has no call among the quick ones: its next one begins as a slow one.
 * - Slow calls have the spare threads, and those of one workflow at most as many as there are `threads`. A workflow that has so many
 *   waits until one of its own ends.
 */
export class ThreadShares {
  /** Threads that may be up at once. */
  readonly max: number;
  readonly #threads: number;
  readonly #perWorkflow: number;
  /** Nodes whose last call was slow, those of the latest last. */
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
    // Those that are quick yet may turn out to be slow as well.
    return slow.total < this.max - this.#threads && slowOfWorkflow + quick.of(origin.workflowId) < this.#perWorkflow;
  }

  begin(origin: CallOrigin): ThreadShare {
    const share: ThreadShare = { origin, isSlow: this.#slowNodes.has(keyOf(origin)) };
    this.#running[paceOf(share)].add(origin.workflowId, 1);
    return share;
  }

  /** The call has become slow. */
  slowDown(share: ThreadShare): void {
    this.#remember(share.origin, true);
    this.#running[paceOf(share)].add(share.origin.workflowId, -1);
    share.isSlow = true;
    this.#running.slow.add(share.origin.workflowId, 1);
  }

  /** `tookMs`: what it has computed; `undefined` where it did not come to its end. */
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

/** Counts for each key, and in all. */
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
