import { errorMessage, type Item, type JsonValue } from '@sluice/domain';

// Registered, since a node library may bring its own copy of this package.
const failed = Symbol.for('sluice.failed-item');

/**
 * The item that a node gives for an input item it failed on, where `continueOnFail` asks it to go on. It holds `error`: the
 * message, unless the node `shows` more (`errorObject`); where the node has an error output, the engine sends it there, with the
 * JSON of the input item beside `error`.
 */
export function failedItem(error: unknown, itemIndex: number, shows: JsonValue = errorMessage(error)): Item {
  const item: Item = { json: { error: shows }, pairedItem: { item: itemIndex } };
  return Object.defineProperty(item, failed, { value: true });
}

export function isFailedItem(item: unknown): boolean {
  return typeof item === 'object' && item !== null && failed in item;
}
