import type { AttemptRef, ClaimedExecution, LimitedExecutionRepository, SkippedExecution } from '@sluice/db';
import { errorMessage, GroupCommit, noteLimit, untilAvailable } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import type { ExecutionQueue, SignalChannel } from '@sluice/queue';
import { PeriodicService, type Rounds } from '../periodic-service.ts';
import type { FollowUps } from './follow-ups.ts';

interface ExecutionLimitsOptions {
  limited: Pick<LimitedExecutionRepository, 'claim' | 'unblock' | 'recount'>;
  queue: Pick<ExecutionQueue, 'enqueueAgain'>;
  followUps: Pick<FollowUps, 'after' | 'enqueue'>;
  ended: Pick<SignalChannel, 'publish'>;
  logger: Logger;
}

/**
 * Interval of checks for blocked executions that may start, in milliseconds: the maximum delay
 * after a crash, a cancellation, or a changed limit.
 */
const checkEveryMs = 1_000;
/** Minimum pause between two checks. */
const leastMs = 20;

/**
 * Claims executions that are subject to limits, and unblocks others. Runs in all workers
 * concurrently. A worker unblocks the next execution as soon as it has run an execution under the
 * same limit; everything else is found by a check once a second.
 */
export class ExecutionLimits extends PeriodicService<ExecutionLimitsOptions> {
  readonly #searches = new GroupCommit<readonly number[]>(async (lists) => {
    await this.#unblock([...new Set(lists.flat())]);
  });

  protected get rounds(): Rounds {
    return { pauseMs: checkEveryMs, firstMs: leastMs, failure: 'limits not checked' };
  }

  /**
   * Claims an execution that could not be claimed otherwise. `settled`: a limit blocks it, or it
   * was skipped. `undefined`: a limit is not the reason. Waits while Postgres is unreachable,
   * unless the worker closes.
   */
  async claim(ref: AttemptRef, closing: AbortSignal): Promise<ClaimedExecution | 'settled' | undefined> {
    const claim = await untilAvailable(() => this.options.limited.claim(ref), closing);
    if (claim?.kind === 'claimed') return claim.claimed;
    if (claim) noteLimit('CONCURRENCY_LIMIT');
    if (claim?.kind === 'skipped') await this.#followSkipped(claim.skipped);
    return claim && 'settled';
  }

  /**
   * Call this after an execution has left this worker. Never rejects: the next check repeats failed
   * steps.
   */
  async released({ limitIds }: ClaimedExecution): Promise<void> {
    if (limitIds.length === 0) return;
    await this.#searches.add(limitIds).catch((error: unknown) => {
      this.options.logger.warn({ error: errorMessage(error) }, 'blocked executions not checked; the next check will find them');
    });
  }

  /**
   * Counts running executions toward limits that were set, or began to apply to them, after their
   * start.
   */
  recount(): Promise<void> {
    return this.options.limited.recount();
  }

  async round(): Promise<number> {
    return this.#unblock();
  }

  /** Resolves to the milliseconds until the next check. */
  async #unblock(limitIds?: readonly number[]): Promise<number> {
    const { limited, queue } = this.options;
    const { unblocked, skipped, againInMs = checkEveryMs } = await limited.unblock(limitIds);
    for (const each of skipped) await this.#followSkipped(each);
    const nextMs = Math.max(leastMs, Math.ceil(againInMs));
    this.hasten?.(nextMs);
    // The job that brought the execution here may still exist.
    await Promise.all(unblocked.map((ref) => queue.enqueueAgain(ref)));
    return Math.min(checkEveryMs, nextMs);
  }

  async #followSkipped({ id, parentId }: SkippedExecution): Promise<void> {
    const { ended, followUps, logger } = this.options;
    logger.info({ executionId: id }, 'execution skipped by the limit of its workflow');
    await ended.publish([id]).catch(() => undefined); // followers wait a second longer
    const due = parentId === null ? undefined : await followUps.after({ parentId, failed: false });
    if (due) await followUps.enqueue([due]);
  }
}
