import { errorMessage } from '@sluice/domain';
import type { Logger } from '@sluice/logger';

/** Milliseconds: precision of `lastUsedAt`, and time for which uses are collected. */
const resolutionMs = 60_000;
const gatherMs = 1_000;
const maxKnown = 10_000;

interface KeyUsageOptions {
  apiKeys: { touch(ids: readonly string[], minAgeMs: number): Promise<void> };
  logger: Logger;
  /** Milliseconds of a monotonic clock. */
  now?: () => number;
}

/**
 * Records when keys were last used: outside the request, at most once a minute per key, and many
 * keys in one statement.
 */
export class KeyUsage {
  readonly #options: KeyUsageOptions;
  readonly #now: () => number;
  readonly #notedAt = new Map<string, number>();
  readonly #waiting = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: KeyUsageOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  note(keyId: string): void {
    const notedAt = this.#notedAt.get(keyId);
    if (notedAt !== undefined && this.#now() - notedAt < resolutionMs) return;
    if (this.#notedAt.size >= maxKnown) this.#notedAt.clear();
    this.#notedAt.set(keyId, this.#now());
    this.#waiting.add(keyId);
    this.#timer ??= setTimeout(() => void this.flush(), gatherMs).unref();
  }

  /** Writes the collected uses. A failed write is dropped: the next use repeats it. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const ids = [...this.#waiting];
    this.#waiting.clear();
    if (ids.length === 0) return;
    await this.#options.apiKeys.touch(ids, resolutionMs).catch((error: unknown) => {
      this.#options.logger.debug({ error: errorMessage(error) }, 'cannot record the use of keys');
    });
  }
}
