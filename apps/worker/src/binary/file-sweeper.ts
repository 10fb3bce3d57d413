import type { BinaryStore } from '@sluice/binary-store';
import type { BinaryLeftover, BinaryRepository } from '@sluice/db';
import type { Logger } from '@sluice/logger';
import { PeriodicService, type Rounds } from '../periodic-service.ts';

interface FileSweeperOptions {
  binaries: BinaryRepository;
  store: BinaryStore;
  /** Milliseconds between rounds. */
  pauseMs: number;
  logger: Logger;
}

const batchSize = 100;

/**
 * Deletes the bytes of files that no execution references. Runs in all workers concurrently: one
 * worker claims each leftover file, which becomes due again if the storage fails. Separate from the
 * other sweeps, which must not wait for slow storage.
 */
export class FileSweeper extends PeriodicService<FileSweeperOptions> {
  protected get rounds(): Rounds {
    return { pauseMs: this.options.pauseMs, failure: 'file sweep failed' };
  }

  async round(): Promise<void> {
    await this.inBatches(() => this.#sweepSome());
  }

  async #sweepSome(): Promise<boolean> {
    const { binaries } = this.options;
    const unfinished = await binaries.dropUnfinished(batchSize);
    const leftovers = await binaries.takeLeftovers(batchSize);
    await this.#delete(leftovers);
    return unfinished === batchSize || leftovers.length === batchSize;
  }

  async #delete(leftovers: readonly BinaryLeftover[]): Promise<void> {
    if (leftovers.length === 0) return;
    const { binaries, store, logger } = this.options;
    const unreferenced = leftovers.filter(({ referenced }) => !referenced);
    const idsOf = (wasInterrupted: boolean) =>
      unreferenced.filter(({ interrupted }) => interrupted === wasInterrupted).map(({ binaryId }) => binaryId);
    await store.delete(idsOf(false));
    await store.delete(idsOf(true), { interrupted: true });
    await binaries.forgetLeftovers(leftovers);
    logger.debug({ count: unreferenced.length }, 'files deleted');
  }
}
