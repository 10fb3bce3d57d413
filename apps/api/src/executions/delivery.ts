import { errorMessage, UnavailableError } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import type { ExecutionRef } from '@sluice/queue';

interface Queue {
  enqueue(ref: ExecutionRef): Promise<void>;
}

/** Hands committed executions to the queue. */
export class Delivery {
  readonly #queue: Queue;
  readonly #redis: { readonly up: boolean };
  readonly #logger: Logger;

  constructor({ queue, redis, logger }: { queue: Queue; redis: { readonly up: boolean }; logger: Logger }) {
    this.#queue = queue;
    this.#redis = redis;
    this.#logger = logger;
  }

  /** Throws `UnavailableError` while nothing could be delivered: ask before writing. */
  assertUp(): void {
    if (!this.#redis.up) throw new UnavailableError('redis cannot be reached');
  }

  /**
   * False: not now, which is logged. The row is committed, so nothing is lost: the sweeper delivers
   * what has no job.
   */
  async enqueue(ref: ExecutionRef): Promise<boolean> {
    try {
      await this.#queue.enqueue(ref);
      return true;
    } catch (error) {
      this.#logger.warn({ ...ref, error: errorMessage(error) }, 'not enqueued, left to the sweeper');
      return false;
    }
  }
}
