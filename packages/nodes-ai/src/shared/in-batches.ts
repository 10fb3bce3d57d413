import { setTimeout as delay } from 'node:timers/promises';
import type { ExecuteContext, Item } from '@sluice/node-sdk';
import { mapItemsAsync, numberParameter } from '@sluice/nodes-base/node-tools';

/** Longest pause between batches, in milliseconds. */
const maxPauseMs = 600_000;

/**
 * Like `mapItemsAsync`: one item after another, with the pauses that `options.batching` or
 * `batching` specifies. `batchSize`: default number of items between pauses.
 */
export function inBatches(
  context: ExecuteContext,
  step: (item: Item, itemIndex: number) => Promise<Item | Item[]>,
  batchSize = 5,
): Promise<Item[]> {
  const setting = (name: string, fallback: number) =>
    numberParameter(context, `options.batching.${name}`, 0, numberParameter(context, `batching.${name}`, 0, fallback));
  const size = Math.max(1, Math.trunc(setting('batchSize', batchSize)));
  const pauseMs = Math.min(Math.max(0, setting('delayBetweenBatches', 0)), maxPauseMs);
  return mapItemsAsync(context, async (item, itemIndex) => {
    if (pauseMs > 0 && itemIndex > 0 && itemIndex % size === 0) await delay(pauseMs, undefined, { signal: context.signal });
    return step(item, itemIndex);
  });
}
