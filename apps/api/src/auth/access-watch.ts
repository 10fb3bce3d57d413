import type { AccessChanges } from '@sluice/db';
import { errorMessage } from '@sluice/domain';
import type { Logger } from '@sluice/logger';

/** How often to ask, and for how long, both in milliseconds, an answer says that nothing has changed. */
const intervalMs = 400;
const freshMs = 1_000;

interface AccessWatchOptions {
  changes: { since(version: string | undefined): Promise<AccessChanges> };
  logger: Logger;
  /** Milliseconds of any clock that does not jump. */
  now?: () => number;
}

/**
 * Asks the database every 400 milliseconds, in one small query for all keys, whose rights have changed. While `fresh`, each change that was
 * committed a second ago or earlier has been told: what is cached since may be trusted. While the database is away, or this process
 * too busy to ask, it is not.
 */
export class AccessWatch {
  readonly #options: AccessWatchOptions;
  readonly #now: () => number;
  #onChange: (userIds: readonly string[]) => void = () => undefined;
  #version: string | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: AccessWatchOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  get fresh(): boolean {
    return this.#now() - this.#askedAt < freshMs;
  }

  /** Starts polling. `onChange` receives the IDs of changed users; the first poll reports none. */
  start(onChange: (userIds: readonly string[]) => void): void {
    this.#onChange = onChange;
    void this.#beat();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  /** Asks once. */
  async look(): Promise<void> {
    const askedAt = this.#now();
    const { version, userIds } = await this.#options.changes.since(this.#version);
    if (this.#version === undefined || userIds.length > 0) this.#onChange(userIds);
    this.#version = version;
    this.#askedAt = askedAt;
  }

  async #beat(): Promise<void> {
    await this.look().catch((error: unknown) => {
      this.#options.logger.debug({ error: errorMessage(error) }, 'cannot ask for changed rights');
    });
    if (this.#closed) return;
    this.#timer = setTimeout(() => void this.#beat(), intervalMs);
    this.#timer.unref();
  }
}
