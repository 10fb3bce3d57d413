import { type EmitOptions, type EmittedExecution, type Item, isAppError, type ListenContext } from '@sluice/node-sdk';
import { pause } from '../pause.ts';

/** Delay between attempts in milliseconds: the first and the maximum. */
const pauses = { first: 500, longest: 30_000 };

/**
 * Emits an event and retries transient failures, such as too many waiting executions in the project
 * or a database outage, while the listener is open. Rejects with other errors of `emit`, and with
 * the signal's reason.
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

/** Whether an event can never start an execution: it is too large. */
export function isRefusedForGood(error: unknown): boolean {
  return isAppError(error) && error.code === 'TRIGGER_DATA_TOO_LARGE';
}
