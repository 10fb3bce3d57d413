import { errorMessage, isAppError, pause } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import type { Readiness } from './readiness.ts';

const pauseMs = 500;

/**
 * Polls until everything is ready, so that the first key is created and shown even without requests to
 * `/readyz`. Ends when `signal` aborts. Throws `WRONG_ENCRYPTION_KEY`, which waiting does not fix.
 */
export async function untilReady(
  { readiness, logger }: { readiness: Readiness; logger: Logger },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await readiness.assertReady();
      return;
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined;
      if (isAppError(cause) && cause.code === 'WRONG_ENCRYPTION_KEY') throw cause;
      logger.debug({ error: errorMessage(error) }, 'not ready yet');
    }
    await pause(pauseMs, signal);
  }
}
