import type { AttemptRef } from '@sluice/db';
import { errorMessage, pause, repeatedly, untilAvailable } from '@sluice/domain';
import { failureLog, logRejection } from '@sluice/logger';
import { type ConsumerOptions, ExecutionConsumer, type ExecutionQueue, maxRefsPerJob } from '@sluice/queue';
import type { RunOptions } from '../run/execution-runner.ts';
import type { Service } from '../services.ts';
import { type Backlog, backlogAfterMs } from './backlog.ts';
import { ExecutionSlots } from './execution-slots.ts';

export interface ExecutionIntakeOptions extends Omit<ConsumerOptions, 'drained' | 'prefix'> {
  queue: string;
  /** Prefix of each shard of the queue. */
  prefixes: readonly string[];
  /** Current maximum number of concurrent executions from the queue. */
  limit: () => number;
  /** Projects whose executions wait for memory; default: none. See `#startOthers`. */
  waitingProjects?: () => ReadonlySet<string>;
  backlog: Backlog;
  /** Accepts the executions of a job for which there is no slot. */
  executionQueue: Pick<ExecutionQueue, 'returnToHead'>;
  /** Ends waits for an unreachable database when the worker closes. */
  closing: AbortSignal;
}

/**
 * Maximum number of executions beyond the limit, the pause between checks in milliseconds, and how
 * long no execution has ended when running ones count as stalled.
 */
const others = { max: 10, pauseMs: 250, stalledAfterMs: 2_000 };

/** Milliseconds for which the rest of a job waits for slots, before other workers may take it. */
const patienceMs = 100;

/** Milliseconds after which jobs are restored: by then, a backlog finds executions without one. */
const restoreAfterMs = backlogAfterMs + 50;

type Run = (ref: AttemptRef, options: RunOptions) => Promise<void>;

/** Takes the executions of one queue, from all of its shards, and runs them. */
export class ExecutionIntake implements Service {
  readonly #run: Run;
  readonly #options: ExecutionIntakeOptions;
  readonly #consumers: readonly ExecutionConsumer[];
  readonly #slots: ExecutionSlots;
  readonly #stopping = new AbortController();
  /** Number of executions beyond the limit. */
  #others = 0;
  /** Project → number of its running executions. */
  readonly #projects = new Map<string, number>();
  /** Number of jobs to restore; see `#restoreLater`. */
  #missing = 0;

  constructor(run: Run, options: ExecutionIntakeOptions) {
    const { backlog, prefixes, queue } = options;
    const deliveries = Math.ceil(options.deliveries / prefixes.length);
    this.#run = run;
    this.#options = options;
    this.#slots = new ExecutionSlots({ limit: options.limit, deliveries: deliveries * prefixes.length });
    this.#consumers = prefixes.map((prefix) => {
      const shard = `${prefix}:${queue}`;
      const drained = () => backlog.drained(shard);
      return new ExecutionConsumer((refs) => this.#take(refs, shard), { ...options, prefix, deliveries, drained });
    });
  }

  async start(): Promise<void> {
    await Promise.all(this.#consumers.map((consumer) => consumer.start()));
    const { waitingProjects, logger } = this.#options;
    if (!waitingProjects) return;
    const onError = failureLog(logger, 'executions of other projects not started');
    const { signal } = this.#stopping;
    repeatedly(() => this.#startOthers(this.#stalledProjects(waitingProjects())), { pauseMs: others.pauseMs, signal, onError });
  }

  /** Whether the queue is read. */
  get isReading(): boolean {
    return this.#consumers.every((consumer) => consumer.running);
  }

  /** Number of running executions. */
  get running(): number {
    return this.#slots.occupied;
  }

  /** Whether more executions would run if the limit were higher. */
  get isFull(): boolean {
    return this.#slots.isFull;
  }

  /** Applies a change of the limit. */
  refresh(): void {
    this.#slots.refresh();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    const closed = Promise.all(this.#consumers.map((consumer) => consumer.close()));
    await this.#slots.close();
    await closed;
    await this.#slots.close(); // a job that was being fetched may have started executions in the meantime
  }

  /**
   * Starts as many executions as the job has, as slots become free. Executions without a slot in
   * time return to the queue. Resolves when the job may be acknowledged.
   */
  async #take(refs: readonly AttemptRef[], shard: string): Promise<void> {
    try {
      let slots = this.#slots.occupy(refs.length);
      let rest = refs;
      while (slots > 0) {
        await this.#fill(rest.slice(0, slots), shard);
        rest = rest.slice(slots);
        slots = rest.length > 0 ? await this.#slots.occupyMore(rest.length, patienceMs) : 0;
      }
      await this.#return(rest);
    } catch (error) {
      this.#slots.drop();
      throw error;
    }
    await this.#slots.acknowledge();
  }

  /**
   * Fills one slot for each reference, with its execution or with an execution whose turn it is,
   * and frees the slots that stay unused once every claim has ended. Resolves when all of them are
   * claimed.
   */
  async #fill(refs: readonly AttemptRef[], shard: string): Promise<void> {
    const { backlog } = this.#options;
    let unused = refs.length;
    const start = async (refs: readonly AttemptRef[]) => {
      const starts = await Promise.allSettled(refs.map((ref) => this.#start(ref)));
      unused -= starts.filter((start) => start.status === 'fulfilled' && start.value).length;
      const rejected = starts.find((start) => start.status === 'rejected');
      if (rejected) throw rejected.reason;
    };
    try {
      const chosen = await this.#whenAvailable(() => backlog.next(refs.length, shard));
      const retained = refs.slice(0, refs.length - chosen.length);
      await start([...chosen, ...retained]);
      if (unused > 0) await start(await this.#whenAvailable(() => backlog.replace(unused)));
      if (unused > 0) await this.#return(refs.slice(retained.length));
      if (unused > chosen.length) this.#restoreLater(unused - chosen.length);
    } finally {
      for (; unused > 0; unused -= 1) this.#slots.free();
    }
  }

  /**
   * Projects whose executions wait for memory, and while no execution ends, all that have running
   * ones.
   */
  #stalledProjects(waiting: ReadonlySet<string>): ReadonlySet<string> {
    return this.#slots.stalledMs < others.stalledAfterMs ? waiting : new Set([...waiting, ...this.#projects.keys()]);
  }

  /**
   * Restores jobs, after `count` jobs have started nothing. Their executions were started by jobs
   * of other executions, which then have none, and may not have been queued for long enough to be
   * found at once.
   */
  #restoreLater(count: number): void {
    this.#missing += count;
    if (this.#missing > count) return; // The jobs are being restored.
    logRejection(this.#options.logger, this.#restoreJobs(), 'jobs not restored: the sweeper will restore them');
  }

  async #restoreJobs(): Promise<void> {
    const { signal } = this.#stopping;
    try {
      while (this.#missing > 0) {
        await pause(restoreAfterMs, signal);
        if (signal.aborted) return;
        const refs = await this.#options.backlog.takeOverdue(Math.min(this.#missing, maxRefsPerJob));
        if (!refs) return;
        this.#missing -= refs.length;
        await this.#return(refs);
      }
    } finally {
      this.#missing = 0;
    }
  }

  /**
   * Starts executions of other projects beyond the limit, while no slot is free and executions of
   * `projects` stall. Those keep their slots for as long as the services that they wait for stall.
   */
  async #startOthers(projects: ReadonlySet<string>): Promise<void> {
    const count = others.max - this.#others;
    if (projects.size === 0 || count <= 0 || this.#slots.hasFree) return;
    const refs = await this.#options.backlog.takeOfOthers(projects, count);
    if (this.#stopping.signal.aborted) return; // `stop` may have seen the last slot become free
    await Promise.all(refs.map((ref) => this.#startBeyond(ref)));
  }

  async #startBeyond(ref: AttemptRef): Promise<void> {
    const ended = () => {
      this.#others -= 1;
      this.#slots.free({ isBeyond: true });
    };
    this.#slots.exceed();
    this.#others += 1;
    const isClaimed = await this.#start(ref, ended).catch(() => false);
    if (!isClaimed) ended();
  }

  /**
   * Resolves to whether the execution was claimed, in which case it runs in a slot; rejects if the
   * worker closes first.
   */
  async #start(ref: AttemptRef, ended = () => this.#slots.free()): Promise<boolean> {
    const { backlog, closing, logger } = this.#options;
    const { promise, resolve: onClaimed } = Promise.withResolvers<{ projectId: string }>();
    const mustClaim = backlog.takesTurns;
    const run = this.#run(ref, { closing, mustClaim, onClaimed, mayContinue: () => this.#slots.mayContinue });
    const claimed = await Promise.race([promise, run.then(() => undefined)]);
    if (!claimed) return false;
    this.#count(claimed, 1);
    void run
      .catch((error: unknown) => logger.warn({ error: errorMessage(error) }, 'execution abandoned'))
      .finally(() => {
        this.#count(claimed, -1);
        ended();
      });
    return true;
  }

  #count({ projectId }: { projectId: string }, change: 1 | -1): void {
    const count = (this.#projects.get(projectId) ?? 0) + change;
    if (count > 0) this.#projects.set(projectId, count);
    else this.#projects.delete(projectId);
  }

  async #return(refs: readonly AttemptRef[]): Promise<void> {
    const { executionQueue, queue } = this.#options;
    if (refs.length > 0) await this.#whenAvailable(() => executionQueue.returnToHead(queue, refs));
  }

  #whenAvailable<T>(work: () => Promise<T>): Promise<T> {
    return untilAvailable(work, this.#options.closing);
  }
}
