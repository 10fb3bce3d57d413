import { errorMessage, UnavailableError } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import type { ExecutionRef, RedisWatch } from '@sluice/queue';

interface Queue {
  enqueue(ref: ExecutionRef): Promise<void>;
}

/** Enqueues committed executions. */
export class ExecutionEnqueuer {
  readonly #queue: Queue;
  readonly #redisWatch: Pick<RedisWatch, 'problem'>;
  readonly #logger: Logger;

  constructor({ queue, redisWatch, logger }: { queue: Queue; redisWatch: Pick<RedisWatch, 'problem'>; logger: Logger }) {
    this.#queue = queue;
    this.#redisWatch = redisWatch;
    this.#logger = logger;
  }

  /** Throws `UnavailableError` while Redis is down. Call before writing. */
  assertUp(): void {
    const { problem } = this.#redisWatch;
    if (problem !== undefined) throw new UnavailableError(problem);
  }

  /**
   * Resolves to whether the job was added; logs a failure and never rejects. The row is committed,
   * and the sweeper enqueues executions without a job.
   */
  async enqueue(ref: ExecutionRef): Promise<boolean> {
    try {
      await this.#queue.enqueue(ref);
      return true;
    } catch (error) {
      this.#logger.warn({ ...ref, error: errorMessage(error) }, 'execution not enqueued; the sweeper will enqueue it');
      return false;
    }
  }
}
