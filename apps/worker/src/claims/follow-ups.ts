import type { AttemptRef, CalledExecutionRepository, ErrorStartRepository } from '@sluice/db';
import { type ExecutionId, errorMessage } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import type { ExecutionQueue, SignalChannel } from '@sluice/queue';

interface FollowUpsOptions {
  calledExecutions: CalledExecutionRepository;
  errorStarts: ErrorStartRepository;
  queue: ExecutionQueue;
  cancel: SignalChannel;
  ended: SignalChannel;
  logger: Logger;
}

const maxBatches = 40;

/**
 * Effects of an execution's end on others: its parent resumes, its sub-executions are canceled, its
 * error workflow starts. Runs right after an end if something is known to follow, and for all
 * executions in each sweep, so that a crash in between delays them by seconds only.
 */
export class FollowUps {
  readonly #options: FollowUpsOptions;

  constructor(options: FollowUpsOptions) {
    this.#options = options;
  }

  /**
   * Runs the follow-ups of one execution's end. Resolves to the execution that is due because of
   * it, which the caller runs or enqueues: the parent, or its next child. Never rejects: the next
   * sweep repeats failed steps.
   */
  async after({ parentId, failed }: { parentId: ExecutionId | null; failed: boolean }): Promise<AttemptRef | undefined> {
    let due: AttemptRef | undefined;
    try {
      if (parentId !== null) [due] = await this.#wake([parentId]);
      if (failed) await this.#startErrorWorkflows();
    } catch (error) {
      this.#options.logger.warn({ error: errorMessage(error) }, 'follow-ups failed; the sweeper will repeat them');
    }
    return due;
  }

  /** Runs everything that is due. */
  async sweep(): Promise<void> {
    await this.#cancelOrphans();
    await this.enqueue(await this.#wake());
    await this.#startErrorWorkflows();
  }

  /** A lost job causes a delay of ten seconds: the sweeper enqueues the execution again. */
  async enqueue(refs: readonly AttemptRef[]): Promise<void> {
    if (refs.length === 0) return;
    const { queue, logger } = this.#options;
    await queue.enqueueAll(refs).catch((error: unknown) => {
      logger.warn({ count: refs.length, error: errorMessage(error) }, 'executions not enqueued; the sweeper will enqueue them');
    });
  }

  /** Resolves to the executions that are due. */
  async #wake(parentIds?: readonly ExecutionId[]): Promise<AttemptRef[]> {
    const { calledExecutions, ended } = this.#options;
    const { due, skipped } = await calledExecutions.wake(parentIds);
    await ended.publish(skipped).catch(() => undefined); // only followers of skipped executions wait a second longer
    return due;
  }

  /** Level by level: a canceled orphan makes its own children orphans. */
  async #cancelOrphans(): Promise<void> {
    const { calledExecutions, cancel, ended, logger } = this.#options;
    for (let batch = 0; batch < maxBatches; batch += 1) {
      const ids = await calledExecutions.cancelOrphans();
      if (ids.length === 0) return;
      logger.info({ count: ids.length }, 'executions canceled after the end of their parents');
      await cancel.publish(ids);
      await ended.publish(ids);
    }
  }

  async #startErrorWorkflows(): Promise<void> {
    const { errorStarts, logger } = this.#options;
    for (let batch = 0; batch < maxBatches; batch += 1) {
      const { started, refused } = await errorStarts.startSome();
      for (const refusal of refused) logger.warn(refusal, 'error workflow does not exist or may not be called');
      await this.enqueue(started);
      if (started.length + refused.length === 0) return;
    }
  }
}
