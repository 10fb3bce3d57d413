import { errorMessage } from '@sluice/domain';
import type { Logger } from '@sluice/logger';

/** Milliseconds: how exact `lastUsedAt` is, and how long notes gather before they are written. */
const resolutionMs = 60_000;
const gatherMs = 1_000;
const maxKnown = 10_000;

interface KeyUsageOptions {
  keys: { touch(ids: readonly string[], minAgeMs: number): Promise<void> };
  logger: Logger;
  /** Milliseconds of any clock that does not jump. */
  now?: () => number;
}

/** Notes when keys were last used: off the request's path, at most once a minute for each key, many keys in one statement. */
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

  /** Writes what has gathered; what cannot be written is lost, and written at the next use after a minute. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const ids = [...this.#waiting];
    this.#waiting.clear();
    if (ids.length === 0) return;
    await this.#options.keys.touch(ids, resolutionMs).catch((error: unknown) => {
      this.#options.logger.debug({ error: errorMessage(error) }, 'cannot note when keys were used');
    });
  }
}
