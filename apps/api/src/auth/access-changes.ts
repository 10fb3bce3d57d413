import type { AccessChanges } from '@sluice/db';
import { errorMessage, repeatedly } from '@sluice/domain';
import type { Logger } from '@sluice/logger';

/** Poll interval, and how long a result stays valid, in milliseconds. */
const intervalMs = 400;
const freshMs = 1_000;

interface AccessWatchOptions {
  accessChanges: { since(version: string | undefined): Promise<AccessChanges> };
  logger: Logger;
  /** Milliseconds of a monotonic clock. */
  now?: () => number;
}

/**
 * Polls the database every 400 milliseconds, in one small query, for users whose rights have
 * changed. While `fresh`, every change committed more than a second ago has been reported, so
 * cached rights are valid. It is not fresh while the database is down or this process is too busy
 * to poll.
 */
export class AccessWatch {
  readonly #options: AccessWatchOptions;
  readonly #now: () => number;
  #onChange: (userIds: readonly string[]) => void = () => undefined;
  #version: string | undefined;
  #polledAt = Number.NEGATIVE_INFINITY;
  readonly #stopping = new AbortController();

  constructor(options: AccessWatchOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  get fresh(): boolean {
    return this.#now() - this.#polledAt < freshMs;
  }

  /** Starts polling. `onChange` receives the IDs of changed users, at the first poll none. */
  start(onChange: (userIds: readonly string[]) => void): void {
    this.#onChange = onChange;
    const onError = (error: unknown) =>
      this.#options.logger.debug({ error: errorMessage(error) }, 'cannot read changed rights');
    repeatedly(() => this.poll(), { pauseMs: intervalMs, firstMs: 0, signal: this.#stopping.signal, onError });
  }

  close(): void {
    this.#stopping.abort();
  }

  /** Polls once. */
  async poll(): Promise<void> {
    const polledAt = this.#now();
    const { version, userIds } = await this.#options.accessChanges.since(this.#version);
    if (this.#version === undefined || userIds.length > 0) this.#onChange(userIds);
    this.#version = version;
    this.#polledAt = polledAt;
  }
}

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
