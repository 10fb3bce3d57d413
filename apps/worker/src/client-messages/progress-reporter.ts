import type { ExecutionId } from '@sluice/domain';
import { type Logger, logRejection } from '@sluice/logger';
import type { NodeStarted, ProgressMessage } from '@sluice/queue';

/**
 * Milliseconds for which a `watch` signal is valid; followers repeat it at a third of that
 * interval.
 */
const watchMs = 15_000;
/**
 * Maximum number of watched executions. Followers of other executions poll Postgres every second
 * anyway.
 */
const maxWatched = 50_000;

interface Channel {
  publish(message: ProgressMessage): Promise<void>;
}

/**
 * Reports to the followers of an execution that Postgres has new data, and which node has started.
 * Without followers, the cost is one map lookup per node run. It can neither fail nor delay a run.
 */
export class ProgressReporter {
  readonly #channel: Channel;
  readonly #logger: Logger;
  readonly #now: () => number;
  /**
   * When the last watch of an execution expires; includes executions of other workers, because a
   * follower may subscribe before the claim.
   */
  readonly #watched = new Map<ExecutionId, number>();
  readonly #reports = new Map<ExecutionId, ExecutionReport>();

  /** `now`: monotonic clock in milliseconds. */
  constructor(channel: Channel, logger: Logger, now: () => number = () => performance.now()) {
    this.#channel = channel;
    this.#logger = logger;
    this.#now = now;
  }

  /**
   * Handles the `watch` signal. Reports the running node each time, because the follower may be new
   * or a message may have been lost.
   */
  watch(ids: readonly ExecutionId[]): void {
    if (this.#watched.size >= maxWatched) this.#forgetExpired();
    for (const id of ids) {
      if (this.#watched.size < maxWatched || this.#watched.has(id)) this.#watched.set(id, this.#now() + watchMs);
      this.#reports.get(id)?.repeat();
    }
  }

  /** For one execution that this worker has claimed; close it when the execution is released. */
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

  /** Reports that Postgres has new data. */
  changed(executionId: ExecutionId): void {
    if (this.isWatched(executionId)) this.publish({ changed: executionId });
  }

  publish(message: ProgressMessage): void {
    logRejection(this.#logger, this.#channel.publish(message), 'progress not reported');
  }

  #forgetExpired(): void {
    for (const [id, until] of this.#watched) if (until < this.#now()) this.#watched.delete(id);
  }
}

export class ExecutionReport {
  readonly #executionId: ExecutionId;
  readonly #reporter: ProgressReporter;
  /** The running node, and the calls of its sub-nodes, in the order of their start. */
  readonly #running: Omit<NodeStarted, 'executionId'>[] = [];

  constructor(executionId: ExecutionId, reporter: ProgressReporter) {
    this.#executionId = executionId;
    this.#reporter = reporter;
  }

  /** Whether clients follow the execution. */
  get isWatched(): boolean {
    return this.#reporter.isWatched(this.#executionId);
  }

  nodeStarted(node: Omit<NodeStarted, 'executionId'>): void {
    this.#running.push(node);
    if (this.isWatched) this.#publish(node);
  }

  nodeFinished({ nodeName, runIndex }: Pick<NodeStarted, 'nodeName' | 'runIndex'>): void {
    const index = this.#running.findIndex((node) => node.nodeName === nodeName && node.runIndex === runIndex);
    if (index >= 0) this.#running.splice(index, 1);
  }

  /** Reports that Postgres has new data. */
  changed(): void {
    this.#reporter.changed(this.#executionId);
  }

  /** Reports the running nodes. */
  repeat(): void {
    for (const node of this.#running) this.#publish(node);
  }

  #publish(node: Omit<NodeStarted, 'executionId'>): void {
    this.#reporter.publish({ started: { executionId: this.#executionId, ...node } });
  }

  close(): void {
    this.#reporter.close(this.#executionId);
  }
}
