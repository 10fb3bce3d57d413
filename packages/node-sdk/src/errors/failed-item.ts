import { errorMessage, type Item, type JsonValue } from '@sluice/domain';

// A registered symbol, because a node library may bundle its own copy of this package.
const failed = Symbol.for('sluice.failed-item');

/**
 * The output item for an input item on which the node failed while `continueOnFail` is true. Its
 * `error` is the message, or `shows` for more (`errorObject`). If the node has an error output, the
 * engine sends the item there and adds the input item's JSON.
 */
export function failedItem(error: unknown, itemIndex: number, shows: JsonValue = errorMessage(error)): Item {
  const item: Item = { json: { error: shows }, pairedItem: { item: itemIndex } };
  return Object.defineProperty(item, failed, { value: true });
}

export function isFailedItem(item: unknown): boolean {
  return typeof item === 'object' && item !== null && failed in item;
}
