import {
  type ExecuteContext,
  errorMessage,
  failedItem,
  type Item,
  isAppError,
  isStackOverflow,
  NodeOperationError,
  TimeSlice,
} from '@sluice/node-sdk';
import { ResultGrowth } from './result-growth.ts';

/** Calls `step` for each item of input 0, in time slices. A fired signal ends the node. */
export async function forEachItem(context: ExecuteContext, step: (item: Item, itemIndex: number) => void): Promise<void> {
  const slice = new TimeSlice();
  for (const [itemIndex, item] of context.items().entries()) {
    if (slice.isOver) {
      await slice.next();
      context.signal.throwIfAborted();
    }
    step(item, itemIndex);
  }
}

/**
 * Runs a step for each item of input 0, in time slices, and collects the results. If the node may
 * continue on failure, a failed item becomes an item with `error`. A fired signal always ends the
 * node.
 */
export async function mapItems(
  context: ExecuteContext,
  step: (item: Item, itemIndex: number) => Item | Item[],
): Promise<Item[]> {
  const results: Item[] = [];
  const growth = new ResultGrowth(context.items());
  await forEachItem(context, (item, itemIndex) => {
    const result = attempt(context, item, itemIndex, step);
    // One by one: a list may exceed the maximum number of arguments in a call.
    for (const one of Array.isArray(result) ? result : [result]) {
      growth.add(one, itemIndex);
      results.push(one);
    }
  });
  return results;
}

function attempt(
  context: ExecuteContext,
  item: Item,
  itemIndex: number,
  step: (item: Item, itemIndex: number) => Item | Item[],
): Item | Item[] {
  try {
    return step(item, itemIndex);
  } catch (error) {
    return failedOrThrow(context, itemIndex, error);
  }
}

/**
 * The item for a failure if the node continues; otherwise throws the error with the item's index.
 */
export function failedOrThrow({ continueOnFail, signal }: ExecuteContext, itemIndex: number, error: unknown): Item {
  if (signal.aborted) throw error;
  const failure = explained(error, itemIndex);
  if (!continueOnFail) throw errorOfItem(failure, itemIndex);
  return failedItem(failure, itemIndex);
}

/**
 * Replaces runtime errors that an item's data causes with errors for the author; returns any other
 * unchanged.
 */
export function explained(error: unknown, itemIndex?: number): unknown {
  const place = itemIndex === undefined ? {} : { itemIndex };
  if (isStackOverflow(error)) return nestedTooDeeply(place, error);
  return error instanceof URIError ? malformedText(place, error) : error;
}

/**
 * `encodeURIComponent` throws for half of a surrogate pair, and `decodeURIComponent` for other uses
 * of `%`.
 */
function malformedText(place: { itemIndex?: number }, cause: URIError): NodeOperationError {
  const description = 'Check IDs and names: a string was probably cut off in the middle of an emoji or another character';
  return new NodeOperationError(errorMessage(cause), { ...place, description, cause });
}

function nestedTooDeeply(place: { itemIndex?: number }, cause: unknown): NodeOperationError {
  const description = 'Give the node data with fewer levels, such as of quotes, lists, or elements';
  return new NodeOperationError('the data of the item is nested too deeply', { ...place, description, cause });
}

/**
 * The item of a routing node whose route could not be determined. Unchanged if the node continues
 * on its regular outputs; marked as failed if it has an error output. Throws as `failedOrThrow`
 * does.
 */
export function unroutedOrThrow(context: ExecuteContext, item: Item, itemIndex: number, error: unknown): Item {
  const failed = failedOrThrow(context, itemIndex, error);
  return context.node.onError === 'continueErrorOutput' ? failed : passedItem(item, itemIndex);
}

/**
 * Adds the item's index to an error without one; name, code, hint, and details are kept. Errors of
 * other families are returned unchanged.
 */
export function errorOfItem(error: unknown, itemIndex: number): unknown {
  if (!isAppError(error) || error.kind === 'defect') return error;
  if ('itemIndex' in error && error.itemIndex !== undefined) return error;
  const { message, code, details, name } = error;
  const description = 'description' in error && typeof error.description === 'string' ? error.description : undefined;
  const named = new NodeOperationError(message, { itemIndex, description, details, cause: error }, code);
  return Object.assign(named, { name });
}

/**
 * The same item on an output of this node. The data is shared, not copied, since items are
 * immutable.
 */
export function passedItem(item: Item, itemIndex: number, input?: number): Item {
  return { ...item, pairedItem: input === undefined ? { item: itemIndex } : { item: itemIndex, input } };
}
