import type { BinaryStore } from '@sluice/binary-store';
import type { BinaryLeftover, BinaryRepository } from '@sluice/db';
import { errorMessage } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import { inBatches } from '../in-batches.ts';
import { repeatedly } from '../repeatedly.ts';

export interface FileSweeperOptions {
  binaries: BinaryRepository;
  store: BinaryStore;
  /** Milliseconds between rounds. */
  pauseMs: number;
  logger: Logger;
}

const batchSize = 100;
/** In one round, so that those that are due longest are looked at by whoever has time. */
const maxBatches = 40;

/**
 * Deletes the bytes of files that no execution holds any more. Runs in every worker, all at once: each leftover is taken by one of
 * them, and comes again later where the storage failed. Apart from the other sweeps, which must not wait for a storage that is slow.
 */
export class FileSweeper {
  readonly #options: FileSweeperOptions;
  readonly #stopping = new AbortController();

  constructor(options: FileSweeperOptions) {
    this.#options = options;
  }

  start(): void {
    repeatedly(() => this.sweep(), {
      pauseMs: this.#options.pauseMs,
      signal: this.#stopping.signal,
      onError: (error) => this.#options.logger.warn({ error: errorMessage(error) }, 'sweep of files failed'),
    });
  }

  stop(): void {
    this.#stopping.abort();
  }

  /** One round. */
  async sweep(): Promise<void> {
    await inBatches(() => this.#sweepSome(), { max: maxBatches, signal: this.#stopping.signal });
  }

  async #sweepSome(): Promise<boolean> {
    const { binaries } = this.#options;
    const unfinished = await binaries.dropUnfinished(batchSize);
    const leftovers = await binaries.takeLeftovers(batchSize);
    await this.#delete(leftovers);
    return unfinished === batchSize || leftovers.length === batchSize;
  }

  async #delete(leftovers: readonly BinaryLeftover[]): Promise<void> {
    if (leftovers.length === 0) return;
    const { binaries, store, logger } = this.#options;
    const { whole = [], interrupted = [] } = Object.groupBy(
      leftovers.filter(({ held }) => !held),
      (leftover) => (leftover.interrupted ? 'interrupted' : 'whole'),
    );
    await store.delete(whole.map(({ binaryId }) => binaryId));
    await store.delete(
      interrupted.map(({ binaryId }) => binaryId),
      { interrupted: true },
    );
    await binaries.forgetLeftovers(leftovers);
    logger.debug({ count: whole.length + interrupted.length }, 'files deleted');
  }
}
