import { errorMessage } from '@sluice/domain';
import type { Logger } from '@sluice/logger';

interface Options {
  /** Drops this process's cached entries of these users. */
  forget(userIds: readonly string[]): void;
  channel: { publish(userIds: readonly string[]): Promise<void> };
  logger: Logger;
}

/**
 * Notifies all processes of users whose rights have changed. A lost message delays this by a
 * second: see `AccessWatch`.
 */
export class AccessSignals {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Call after the commit. */
  changed(userIds: readonly string[]): void {
    const { forget, channel, logger } = this.#options;
    forget(userIds);
    void channel.publish(userIds).catch((error: unknown) => {
      logger.debug({ error: errorMessage(error) }, 'cannot notify other processes of changed rights');
    });
  }
}
