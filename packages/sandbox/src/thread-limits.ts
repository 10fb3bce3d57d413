import { containerMemory } from '@sluice/domain';

const mib = 1024 * 1024;

/** The project, workflow, and node that request a thread. */
export interface CallOrigin {
  readonly projectId: string;
  readonly workflowId: string;
  readonly nodeName: string;
}

/** A call that has a thread. */
export interface AdmittedCall {
  readonly origin: CallOrigin;
  isSlow: boolean;
}

/** Milliseconds after which a call is considered slow. */
export const slowAfterMs = 50;
/**
 * Slow calls may use this many times the configured threads, in addition to the configured threads.
 */
const spareFactor = 3;
/**
 * Memory limit of all spare threads in MiB: in a container, at most a quarter of its memory, like
 * that of other threads. There is always one; outside of containers, as many as configured threads.
 */
const spareMemoryMb = 1_024;
/** Minimum limit of slow calls per workflow, even if there is only one thread. */
const leastPerWorkflow = 2;
const rememberedNodes = 1_000;

/**
 * Determines which call may use a thread, so that endless code delays neither other workflows, nor
 * other projects, nor short code.
 *
 * - Quick calls have `threads` threads, or as many as a small container has memory for. A call that
 *   became slow is no longer counted: a spare thread replaces its own.
 * - A node whose last call was slow starts its next call as slow.
 * - Slow calls have the spare threads, but calls of one workflow at most `threads` of them. At this
 *   limit, a workflow waits until one of its calls ends.
 * - A project with slow calls on half of all threads waits in the same way, however many workflows
 *   it has. Calls that were quick when they started can exceed this by `threads - 1`.
 */
export class ThreadLimits {
  /** Maximum number of concurrent threads. */
  readonly max: number;
  /** Number of threads for quick calls. */
  readonly threads: number;
  readonly #perWorkflow: number;
  readonly #perProject: number;
  /** Nodes whose last call was slow, most recent last. */
  readonly #slowNodes = new Set<string>();
  readonly #running: Record<Pace, Counter> = { quick: new Counter(), slow: new Counter() };

  constructor({ threads, memoryMb, container = containerMemory() }: { threads: number; memoryMb: number; container?: number }) {
    const quarterMb = container / mib / 4;
    this.threads = Math.min(threads, Math.max(1, Math.floor(quarterMb / memoryMb)));
    this.#perWorkflow = Math.max(leastPerWorkflow, this.threads);
    const spareMb = Math.min(spareMemoryMb, quarterMb);
    const affordable = Math.max(Number.isFinite(container) ? 1 : threads, Math.floor(spareMb / memoryMb));
    this.max = this.threads + Math.min(spareFactor * threads, affordable);
    this.#perProject = Math.floor(this.max / 2);
  }

  mayBegin(origin: CallOrigin): boolean {
    const { quick, slow } = this.#running;
    const isSlow = this.#isSlow(origin);
    if (quick.total + slow.total >= this.max || (!isSlow && quick.total >= this.threads)) return false;
    const slowOf = slow.of(origin);
    if (!isSlow) return this.#isWithin(slowOf);
    // Calls that are still quick may become slow, too.
    const quickOf = quick.of(origin);
    const fits = this.#isWithin({ workflow: slowOf.workflow + quickOf.workflow, project: slowOf.project + quickOf.project });
    return fits && slow.total < this.max - this.threads;
  }

  /**
   * Whether a quick call that waits only needs a thread: no slow calls of its workflow or project
   * hold it back.
   */
  needsOnlyThread(origin: CallOrigin): boolean {
    return !this.#isSlow(origin) && this.#isWithin(this.#running.slow.of(origin));
  }

  begin(origin: CallOrigin): AdmittedCall {
    const call: AdmittedCall = { origin, isSlow: this.#isSlow(origin) };
    this.#running[paceOf(call)].add(origin, 1);
    return call;
  }

  /** Marks the call as slow. */
  slowDown(call: AdmittedCall): void {
    this.#remember(call.origin, true);
    this.#running[paceOf(call)].add(call.origin, -1);
    call.isSlow = true;
    this.#running.slow.add(call.origin, 1);
  }

  /** `tookMs`: processor time of the call; `undefined` if it did not finish. */
  end(call: AdmittedCall, tookMs: number | undefined): void {
    this.#running[paceOf(call)].add(call.origin, -1);
    if (tookMs !== undefined) this.#remember(call.origin, tookMs >= slowAfterMs);
  }

  /**
   * Whether the node's last call was slow. Makes no key without slow nodes: at each end of a call,
   * `mayBegin` checks all waiting ones.
   */
  #isSlow(origin: CallOrigin): boolean {
    return this.#slowNodes.size > 0 && this.#slowNodes.has(keyOf(origin));
  }

  #isWithin({ workflow, project }: { workflow: number; project: number }): boolean {
    return workflow < this.#perWorkflow && project < this.#perProject;
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

function paceOf({ isSlow }: AdmittedCall): Pace {
  return isSlow ? 'slow' : 'quick';
}

/** Counts per workflow, per project, and in total. */
class Counter {
  readonly #workflows = new Map<string, number>();
  readonly #projects = new Map<string, number>();
  total = 0;

  of({ workflowId, projectId }: CallOrigin): { workflow: number; project: number } {
    return { workflow: this.#workflows.get(workflowId) ?? 0, project: this.#projects.get(projectId) ?? 0 };
  }

  add(origin: CallOrigin, by: 1 | -1): void {
    const { workflow, project } = this.of(origin);
    this.total += by;
    store(this.#workflows, origin.workflowId, workflow + by);
    store(this.#projects, origin.projectId, project + by);
  }
}

function store(counts: Map<string, number>, key: string, count: number): void {
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}

function keyOf({ workflowId, nodeName }: CallOrigin): string {
  return JSON.stringify([workflowId, nodeName]);
}
