import { type Item, jsonWeight, NodeOperationError } from '@sluice/node-sdk';

/**
 * Maximum weight (`jsonWeight`) by which a run's results may exceed its items: 384 MB of text, or
 * about 250 MB of lists.
 */
const maxGrowth = 6_000_000;

/**
 * Weighs the results of a run whose steps process items one by one. A step may produce much data
 * from little input, such as a list with gaps, or an object from JSON in a parameter: repeated for
 * each item, this would fill the memory.
 */
export class ResultGrowth {
  readonly #items: readonly Item[];
  #weighed = 0;
  #room = maxGrowth;

  /** @param items those of input 0. */
  constructor(items: readonly Item[]) {
    this.#items = items;
  }

  /** Adds an item's result. Throws if the results so far exceed the items by too much. */
  add({ json }: Item, itemIndex: number): void {
    this.#room -= jsonWeight(json, maxGrowth);
    // Most runs have far fewer values, so their items need not be weighed.
    while (this.#room < 0 && this.#weighed <= itemIndex) {
      this.#room += jsonWeight(this.#items[this.#weighed]?.json, maxGrowth);
      this.#weighed += 1;
    }
    if (this.#room >= 0) return;
    throw new NodeOperationError(
      'the results of the node are far larger than its items',
      { itemIndex, description: 'Give the node fewer items at a time, or produce less data from each item' },
      'RESULT_TOO_LARGE',
    );
  }
}
