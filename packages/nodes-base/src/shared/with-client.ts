import {
  type ExecuteContext,
  errorMessage,
  failedItem,
  type Item,
  isAppError,
  isNodeOperationError,
  NodeOperationError,
} from '@sluice/node-sdk';
import { connectionFailed } from './connection-failed.ts';
import { isLostConnection, lostConnection } from './lost-connection.ts';
import { failedOrThrow } from './per-item.ts';

/** A client that a node uses for one run. */
interface ItemClient<T> {
  /** Name of the service, for error messages. */
  service: string;
  /** May reject with any error; its message is kept. */
  open(): Promise<T>;
  /** Resolves to the result for an item. */
  step(client: T, item: Item, itemIndex: number): Promise<Item | Item[]>;
  /** Always called after `open` has succeeded. */
  close(client: T): Promise<void> | void;
}

/**
 * Runs a step for each item, one after another, over one client, and closes it. If the node may
 * continue, a failed item becomes an item with `error`, and without a connection all items do. A
 * fired signal ends the node with its reason.
 */
export async function mapWithClient<T>(
  context: ExecuteContext,
  { service, open, step, close }: ItemClient<T>,
): Promise<Item[]> {
  const items = context.items();
  if (items.length === 0) return [];
  let client: T;
  try {
    client = await open();
  } catch (error) {
    context.signal.throwIfAborted();
    const failure = connectionFailed(error, service);
    if (!context.continueOnFail) throw failure;
    return items.map((_, itemIndex) => failedItem(failure, itemIndex));
  }
  try {
    const results: (Item | Item[])[] = [];
    for (const [itemIndex, item] of items.entries())
      results.push(await oneItem(context, itemIndex, () => step(client, item, itemIndex)));
    return results.flat();
  } finally {
    await close(client);
  }
}

async function oneItem(context: ExecuteContext, itemIndex: number, step: () => Promise<Item | Item[]>): Promise<Item | Item[]> {
  try {
    context.signal.throwIfAborted();
    return await step();
  } catch (error) {
    context.signal.throwIfAborted();
    return failedOrThrow(context, itemIndex, toNodeError(error, itemIndex));
  }
}

/**
 * Errors of this service keep their code; a lost connection has its own code; for a library's
 * error, only the message is kept.
 */
function toNodeError(error: unknown, itemIndex: number): NodeOperationError {
  if (isNodeOperationError(error) && error.itemIndex !== undefined) return error;
  if (!isAppError(error) && isLostConnection(error)) return lostConnection(error, itemIndex);
  const description = isNodeOperationError(error) ? error.description : undefined;
  const details = isAppError(error) ? error.details : undefined;
  const code = isAppError(error) ? error.code : undefined;
  return new NodeOperationError(
    errorMessage(error) || 'the operation failed',
    { itemIndex, description, details, cause: error },
    code,
  );
}
