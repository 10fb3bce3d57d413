import { errorMessage, type Item, type ListenContext } from '@sluice/node-sdk';
import { emitPatiently, isRefusedForGood } from './emit-patiently.ts';

interface EmitInOrderOptions {
  /** Identifies the event if its source provides a key: see `EmitOptions.key`. */
  key?: string;
  /** `false`: waits until the execution ends. */
  parallel?: boolean;
}

/**
 * Emits a message from a source that expects an acknowledgment. Resolves when the message may be
 * acknowledged: to `true` if it started an execution, to `false` if it can never start an
 * execution. Such a message is logged: redelivery would block all others. Rejects if the source
 * must keep the message.
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
    context.logger.error({ reason: errorMessage(error) }, 'an event did not start an execution');
    return false;
  }
}
