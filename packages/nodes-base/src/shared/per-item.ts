import {
  type ExecuteContext,
  failedItem,
  type Item,
  isAppError,
  isNodeOperationError,
  NodeOperationError,
} from '@sluice/node-sdk';

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

/** The item that stands for a failure where the node continues; otherwise throws the error, which names the item. */
export function failedOrThrow({ continueOnFail, signal }: ExecuteContext, itemIndex: number, error: unknown): Item {
  if (signal.aborted) throw error;
  if (!continueOnFail) throw errorOfItem(error, itemIndex);
  return failedItem(error, itemIndex);
}

/**
 * The item of a node that routes, where deciding on its way failed: unchanged where the node continues on its regular outputs,
 * marked as failed where it has an error output. Throws as `failedOrThrow` does.
 */
export function unroutedOrThrow(context: ExecuteContext, item: Item, itemIndex: number, error: unknown): Item {
  const failed = failedOrThrow(context, itemIndex, error);
  return context.node.onError === 'continueErrorOutput' ? failed : passedItem(item, itemIndex);
}

/** The error with the index of the item, where it has none of its own; name, code, hint and details stay. Errors that are not ours are left as they are. */
export function errorOfItem(error: unknown, itemIndex: number): unknown {
  if (!isAppError(error) || error.kind === 'defect') return error;
  if ('itemIndex' in error && error.itemIndex !== undefined) return error;
  const { message, code, details, name } = error;
  const description = isNodeOperationError(error) ? error.description : undefined;
  const named = new NodeOperationError(message, { itemIndex, description, details, cause: error }, code);
  return Object.assign(named, { name });
}

/** The same item on an output of this node: data are shared, not copied, since nobody changes items. */
export function passedItem(item: Item, itemIndex: number, input?: number): Item {
  return { ...item, pairedItem: input === undefined ? { item: itemIndex } : { item: itemIndex, input } };
}
