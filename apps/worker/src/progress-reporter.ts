import type { ExecutionId } from '@sluice/domain';
import { type Logger, logRejection } from '@sluice/logger';
import type { NodeStarted, ProgressMessage } from '@sluice/queue';

/** Milliseconds for which a `watch` signal counts; followers repeat it at a third of that. */
const watchMs = 15_000;
/** Watched executions remembered at most. Whoever is not heard looks into Postgres every second all the same. */
const maxWatched = 50_000;

interface Channel {
  publish(message: ProgressMessage): Promise<void>;
}

/**
 * Tells those who follow an execution how it goes: that there is something new in Postgres, and which node has begun. While
 * nobody follows, it costs a look at a map for each node run. Nothing that it does can fail or hold up a run.
 */
export class ProgressReporter {
  readonly #channel: Channel;
  readonly #logger: Logger;
  readonly #now: () => number;
  /** Until when somebody follows an execution; anybody's, since a follower may come before the claim. */
  readonly #watched = new Map<ExecutionId, number>();
  readonly #reports = new Map<ExecutionId, ExecutionReport>();

  /** `now`: milliseconds of any clock that does not jump. */
  constructor(channel: Channel, logger: Logger, now: () => number = () => performance.now()) {
    this.#channel = channel;
    this.#logger = logger;
    this.#now = now;
  }

  /** What the `watch` signal brings. Each time, it is told which node runs: to a new follower, or because a message got lost. */
  watch(ids: readonly ExecutionId[]): void {
    if (this.#watched.size >= maxWatched) this.#forgetExpired();
    for (const id of ids) {
      if (this.#watched.size < maxWatched || this.#watched.has(id)) this.#watched.set(id, this.#now() + watchMs);
      this.#reports.get(id)?.repeat();
    }
  }

  /** For one execution that this worker has claimed; to be closed when it lets go of it. */
  open(executionId: ExecutionId): ExecutionReport {
    const report = new ExecutionReport(executionId, this);
    this.#reports.set(executionId, report);
    return report;
  }

  close(executionId: ExecutionId): void {
    this.#reports.delete(executionId);
    this.#watched.delete(executionId);
  }

  isWatched(id: ExecutionId): boolean {
    if (this.#watched.size === 0) return false;
    const until = this.#watched.get(id);
    if (until === undefined) return false;
    if (until >= this.#now()) return true;
    this.#watched.delete(id);
    return false;
  }

  publish(message: ProgressMessage): void {
    logRejection(this.#logger, this.#channel.publish(message), 'progress not told');
  }

  #forgetExpired(): void {
    for (const [id, until] of this.#watched) if (until < this.#now()) this.#watched.delete(id);
  }
}

/** The reporter for one execution. */
export class ExecutionReport {
  readonly #executionId: ExecutionId;
  readonly #reporter: ProgressReporter;
  /** The node that runs; one at a time does. */
  #running: Omit<NodeStarted, 'executionId'> | undefined;

  constructor(executionId: ExecutionId, reporter: ProgressReporter) {
    this.#executionId = executionId;
    this.#reporter = reporter;
  }

  nodeStarted(node: Omit<NodeStarted, 'executionId'>): void {
    this.#running = node;
    if (this.#reporter.isWatched(this.#executionId)) this.repeat();
  }

  nodeFinished(): void {
    this.#running = undefined;
  }

  /** Postgres knows something new. */
  changed(): void {
    if (this.#reporter.isWatched(this.#executionId)) this.#reporter.publish({ changed: this.#executionId });
  }

  /** Tells which node runs, if one does. */
  repeat(): void {
    if (this.#running) this.#reporter.publish({ started: { executionId: this.#executionId, ...this.#running } });
  }

  close(): void {
    this.#reporter.close(this.#executionId);
  }
}
