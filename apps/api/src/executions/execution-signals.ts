import { type ExecutionId, errorMessage } from '@sluice/domain';
import type { Logger } from '@sluice/logger';

interface Channel {
  publish(executionIds: readonly string[]): Promise<void>;
}

/** Signals workers and requests in flight about executions that the API has changed. */
export class ExecutionSignals {
  readonly #cancel: Channel;
  readonly #ended: Channel;
  readonly #logger: Logger;

  constructor({ cancel, ended, logger }: { cancel: Channel; ended: Channel; logger: Logger }) {
    this.#cancel = cancel;
    this.#ended = ended;
    this.#logger = logger;
  }

  /** Call after the commit. Requests that wait for these executions read their state. */
  async changed(ids: readonly ExecutionId[]): Promise<void> {
    await this.#ended.publish(ids).catch((error: unknown) => {
      this.#logger.warn({ count: ids.length, error: errorMessage(error) }, 'change not published');
    });
  }

  /**
   * Call after the commit. A lost message delays this by seconds: workers also check when they
   * renew their lease.
   */
  async canceled(ids: readonly ExecutionId[]): Promise<void> {
    try {
      await Promise.all([this.#cancel.publish(ids), this.#ended.publish(ids)]);
    } catch (error) {
      this.#logger.warn({ count: ids.length, error: errorMessage(error) }, 'cancel not published');
    }
  }
}
