import { errorMessage, type Item, type ListenContext } from '@sluice/node-sdk';
import { emitPatiently, isRefusedForGood } from './emit-patiently.ts';

export interface EmitInOrderOptions {
  /** Names the event where its source does: see `EmitOptions.key`. */
  key?: string;
  /** `false`: waits until the execution has ended. */
  parallel?: boolean;
}

/**
 * Emits a message of a source that waits for the answer. Resolves once the message may be acknowledged: to `true` with its execution, to `false` where it
 * can never start one: it would come again and again and hold up all others, and a line of the log tells of it. Rejects where the source has to keep it.
 */
export async function emitInOrder(
  context: ListenContext,
  items: readonly Item[],
  { key, parallel = true }: EmitInOrderOptions = {},
): Promise<boolean> {
  try {
    const execution = await emitPatiently(context, items, key === undefined ? {} : { key });
    if (!parallel) await execution.ended();
    return true;
  } catch (error) {
    if (!isRefusedForGood(error)) throw error;
    context.logger.error({ reason: errorMessage(error) }, 'an event has started no execution');
    return false;
  }
}
