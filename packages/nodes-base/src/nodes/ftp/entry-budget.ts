import { NodeOperationError } from '@sluice/node-sdk';

/** Maximum number of entries that the listings of one node run may have. */
const maxEntries = 100_000;

/** Counts entries of folders as they arrive: a server may list without end. */
export class EntryBudget {
  #left = maxEntries;

  /** Throws once there are too many. */
  spend(count: number): void {
    this.#left -= count;
    if (this.#left < 0)
      throw new NodeOperationError(`the folder has more than ${maxEntries} entries`, {
        description: 'List its nested folders one by one',
      });
  }
}
