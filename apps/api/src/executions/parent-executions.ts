import type { CalledExecutions } from '@sluice/db';
import { type ExecutionId, errorMessage } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import type { Delivery } from './delivery.ts';

/** The executions that wait for what they have called. */
export class ParentExecutions {
  readonly #called: Pick<CalledExecutions, 'wake'>;
  readonly #delivery: Delivery;
  readonly #logger: Logger;

  constructor({ called, delivery, logger }: { called: Pick<CalledExecutions, 'wake'>; delivery: Delivery; logger: Logger }) {
    this.#called = called;
    this.#delivery = delivery;
    this.#logger = logger;
  }

  /** Tells these that a child has ended. Call it after the commit. What fails here is done by the next sweep of a worker. */
  async wake(ids: readonly ExecutionId[]): Promise<void> {
    try {
      const { due } = await this.#called.wake(ids);
      await Promise.all(due.map((ref) => this.#delivery.enqueue(ref)));
    } catch (error) {
      this.#logger.warn({ executionIds: ids, error: errorMessage(error) }, 'parents not woken, left to the sweeper');
    }
  }
}
