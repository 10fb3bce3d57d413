import { NodeOperationError } from '@sluice/node-sdk';

/** Maximum number of entries in all listings of a node run. */
const maxEntries = 100_000;

/** Counts folder entries as they arrive: a server's listing may be endless. */
export class EntryBudget {
  #left = maxEntries;

  /** Throws if there are too many entries. */
  spend(count: number): void {
    this.#left -= count;
    if (this.#left < 0)
      throw new NodeOperationError(`the folder has more than ${maxEntries} entries`, {
        description: 'List its nested folders one by one',
      });
  }
}
