import type {
  DiscardedExecutionRepository,
  ExecutionMoveRepository,
  StorageQuotaRepository,
  WorkerRepository,
} from '@sluice/db';
import { type SweepFind, sweepFound } from '@sluice/domain';
import { type Logger, logRejection } from '@sluice/logger';
import type { ExecutionQueue, SignalChannel } from '@sluice/queue';
import type { ExecutionLimits } from '../claims/execution-limits.ts';
import type { FollowUps } from '../claims/follow-ups.ts';
import type { LeaseKeeper } from '../claims/lease-keeper.ts';
import { PeriodicService, type Rounds } from '../periodic-service.ts';

export interface SweeperOptions {
  workers: WorkerRepository;
  executionMoves: ExecutionMoveRepository;
  discardedExecutions: DiscardedExecutionRepository;
  storageQuotas: Pick<StorageQuotaRepository, 'addUp'>;
  followUps: FollowUps;
  executionLimits: Pick<ExecutionLimits, 'recount'>;
  queue: ExecutionQueue;
  shardCount: number;
  /** Shards of the queue that this worker has seen empty within the last `ms` milliseconds. */
  recentlyEmptyShards(ms: number): number[];
  cancel: SignalChannel;
  ended: SignalChannel;
  lease: LeaseKeeper;
  /** Packages of node types whose queues this worker reads. */
  packages: readonly string[];
  logger: Logger;
}

/**
 * Milliseconds that an execution may stay unclaimed before its job is considered lost, if its shard
 * of the queue was empty in the second half of that time.
 */
const strandedAfterMs = 10_000;
/** Milliseconds past its deadline after which other processes end an execution. */
const overdueGraceMs = 5_000;
const strandedBatch = 500;
/** Number of sweeps for which the announced reader of a package's queue remains valid. */
const readerBeats = 6;

/**
 * Recovers from dead workers and a flushed Redis. Runs in all workers concurrently, without a
 * leader: each step is one guarded statement.
 *
 *  - Executions of workers without a lease end as `crashed`. This happens only after a period of
 *    uninterrupted contact with the database, and as of this worker's last renewal: after a general
 *    outage, live workers must be able to renew first.
 *  - Executions past their deadline whose worker did not end them end as `error`.
 *  - Effects of these and all other ends on other executions are applied (`FollowUps`).
 *  - The queues of packages that workers read are announced; those without a reader are deleted.
 *  - Queues that another client has paused or limited deliver again.
 *  - Unclaimed executions whose job may be lost are enqueued again.
 *  - Running executions are counted toward the limits that now apply to them.
 *  - Executions follow their workflow to its new project.
 *  - Executions that their workflows do not keep are deleted.
 *  - Changes of the storage used by projects are summed up.
 */
export class Sweeper extends PeriodicService<SweeperOptions> {
  protected get rounds(): Rounds {
    return { pauseMs: this.options.lease.beatMs, failure: 'sweep failed' };
  }

  override start(): void {
    logRejection(this.options.logger, this.#tendPackageQueues(), 'cannot maintain the queues of packages');
    super.start();
  }

  async round(): Promise<void> {
    await this.#endDead();
    await this.options.followUps.sweep();
    await this.#tendPackageQueues();
    await this.#enqueueStranded();
    await this.options.executionLimits.recount();
    await this.inBatches(() => this.options.executionMoves.moveSome());
    await this.inBatches(() => this.options.discardedExecutions.deleteSome());
    await this.inBatches(() => this.options.storageQuotas.addUp());
  }

  async #endDead(): Promise<void> {
    const { workers, lease, cancel, ended, logger } = this.options;
    const crashed = lease.steadyAt ? await workers.reapDead(lease.steadyAt) : [];
    const overdue = await workers.endOverdue(overdueGraceMs);
    noteFinds({ crashed, overdue });
    if (crashed.length > 0) logger.warn({ executionIds: crashed }, 'executions of dead workers have crashed');
    if (overdue.length > 0) logger.warn({ executionIds: overdue }, 'executions past their deadline have ended');
    // If a worker of these executions is still alive, it stops now instead of at its next beat.
    await cancel.publish([...crashed, ...overdue]);
    await ended.publish([...crashed, ...overdue]);
  }

  async #tendPackageQueues(): Promise<void> {
    const { queue, lease, packages } = this.options;
    await queue.noteReader(packages, lease.beatMs * readerBeats);
    await queue.dropUnread();
    const limited = await queue.undoLimits();
    noteFinds({ queue: limited });
    if (limited.length > 0) this.options.logger.warn({ queues: limited }, 'removed pauses or limits from queues');
  }

  /**
   * While a shard of the queue always has jobs, each of them starts an execution, and workers
   * choose the oldest in Postgres. In one that was empty, all earlier jobs have been delivered.
   */
  async #enqueueStranded(): Promise<void> {
    const { workers, queue, shardCount, recentlyEmptyShards, logger } = this.options;
    const numbers = [...new Set([...(await queue.listEmptyShards()), ...recentlyEmptyShards(strandedAfterMs / 2)])];
    if (numbers.length === 0) return;
    await this.inBatches(async () => {
      const refs = await workers.takeStranded(strandedAfterMs, strandedBatch, { count: shardCount, numbers });
      noteFinds({ stranded: refs });
      if (refs.length > 0) logger.info({ count: refs.length }, 'unclaimed executions enqueued again');
      await queue.enqueueAll(refs);
      return refs.length === strandedBatch;
    });
  }
}

function noteFinds(finds: Partial<Record<SweepFind, readonly unknown[]>>): void {
  for (const [find, { length: count }] of Object.entries(finds))
    if (count > 0) sweepFound.publish({ find: find as SweepFind, count });
}
