import { isAppError } from './errors.ts';
import { pause } from './until-aborted.ts';

const pauseMs = 250;

/**
 * Repeats `operation` while Postgres or Redis is unreachable, until `signal` fires: then throws the
 * last error.
 */
export async function untilAvailable<T>(operation: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await operation();
    } catch (error) {
      if (!isAppError(error) || error.code !== 'SERVICE_UNAVAILABLE' || signal.aborted) throw error;
      await pause(pauseMs, signal);
      if (signal.aborted) throw error;
    }
  }
}
