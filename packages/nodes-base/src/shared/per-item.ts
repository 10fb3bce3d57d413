import { type ExecuteContext, failedItem, type Item } from '@sluice/node-sdk';

/**
 * Runs a step for each item of input 0 and gathers what it gives. Where the node may continue on failure, a failing item
 * becomes one with `error`; a fired signal always ends the node.
 */
export function mapItems(context: ExecuteContext, step: (item: Item, itemIndex: number) => Item | Item[]): Item[] {
  const results: Item[] = [];
  context.items().forEach((item, itemIndex) => {
    const result = attempt(context, item, itemIndex, step);
    // One by one: a list may be longer than a call may have arguments.
    for (const one of Array.isArray(result) ? result : [result]) results.push(one);
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

/** The item that stands for a failure where the node continues; otherwise throws the error. */
export function failedOrThrow({ continueOnFail, signal }: ExecuteContext, itemIndex: number, error: unknown): Item {
  if (signal.aborted || !continueOnFail) throw error;
  return failedItem(error, itemIndex);
}

/** The same item on an output of this node: data are shared, not copied, since nobody changes items. */
export function passedItem(item: Item, itemIndex: number, input?: number): Item {
  return { ...item, pairedItem: input === undefined ? { item: itemIndex } : { item: itemIndex, input } };
}
