import { type ExecuteContext, errorMessage, type Item, TimeSlice } from '@sluice/node-sdk';
import { explained, failedOrThrow } from './per-item.ts';

/** Like `mapItems`, for asynchronous steps. Processes items one after another, in time slices. */
export async function mapItemsAsync(
  context: ExecuteContext,
  step: (item: Item, itemIndex: number) => Promise<Item | Item[]>,
): Promise<Item[]> {
  const results: Item[] = [];
  const slice = new TimeSlice();
  for (const [itemIndex, item] of context.items().entries()) {
    if (slice.isOver) await slice.next();
    context.signal.throwIfAborted();
    const result = await step(item, itemIndex).catch((error: unknown) => {
      context.signal.throwIfAborted();
      return failedOrThrow(context, itemIndex, error);
    });
    // One by one: a list may exceed the maximum number of arguments in a call.
    for (const one of Array.isArray(result) ? result : [result]) {
      results.push(one);
      if (results.length % 10_000 === 0 && slice.isOver) await slice.next();
    }
  }
  return results;
}

/** Pairs one item with every item of input 0. */
export function pairedWithAll(context: ExecuteContext): { item: number }[] {
  return context.items().map((_, item) => ({ item }));
}

/** Maximum total number of pairs in a run's results: they multiply, and each is stored. */
const maxPairs = 100_000;

/**
 * Pairs each of `resultCount` items with every item of input 0, in one list that all share;
 * `undefined` if there are too many pairs to store.
 */
export function pairsForEach(context: ExecuteContext, resultCount: number): { item: number }[] | undefined {
  const isTooMany = resultCount > 1 && resultCount * context.items().length > maxPairs;
  return isTooMany ? undefined : pairedWithAll(context);
}

/**
 * One item with `error` for all items, if the node continues on its regular output; otherwise
 * throws the error. The engine handles the error output and keeps the items' JSON.
 */
export function failureOfAllOrThrow(context: ExecuteContext, error: unknown): Item {
  const { node, continueOnFail, signal } = context;
  if (signal.aborted) throw error;
  const failure = explained(error);
  if (!continueOnFail || node.onError === 'continueErrorOutput') throw failure;
  return { json: { error: errorMessage(failure) }, pairedItem: pairedWithAll(context) };
}
