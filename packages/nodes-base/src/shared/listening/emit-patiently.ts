import { type EmitOptions, type EmittedExecution, type Item, isAppError, type ListenContext } from '@sluice/node-sdk';
import { pause } from '../pause.ts';

/** Milliseconds between attempts: the first pause, and the longest. */
const pauses = { first: 500, longest: 30_000 };

/**
 * Emits an event, and tries again, for as long as the listener lives, where that may help: the project has too many executions waiting, the database
 * is away. Rejects as `emit` does where it may not, and with the reason of the signal.
 */
export async function emitPatiently(
  context: Pick<ListenContext, 'emit' | 'signal'>,
  items: readonly Item[],
  options?: EmitOptions,
): Promise<EmittedExecution> {
  for (let pauseMs = pauses.first; ; pauseMs = Math.min(pauseMs * 2, pauses.longest)) {
    try {
      return await context.emit(items, options);
    } catch (error) {
      if (!mayPass(error) || context.signal.aborted) throw error;
      await pause(pauseMs, context.signal);
    }
  }
}

function mayPass(error: unknown): boolean {
  return isAppError(error) && (error.kind === 'transient' || error.code === 'QUEUE_FULL');
}

/** Whether an event can never start an execution, however often it comes: one that is too large. */
export function isRefusedForGood(error: unknown): boolean {
  return isAppError(error) && error.code === 'TRIGGER_DATA_TOO_LARGE';
}
