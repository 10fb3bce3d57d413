import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage } from '@sluice/domain';
import type { ApiContext } from '../context.ts';

const pauseMs = 500;

/**
 * Asks until everything is there, so that the first key is made, and shown, also when nobody looks at `/readyz`. Ends when
 * `signal` fires.
 */
export async function untilReady(
  { readiness, logger }: Pick<ApiContext, 'readiness' | 'logger'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await readiness.assertReady();
      return;
    } catch (error) {
      logger.debug({ error: errorMessage(error) }, 'not ready yet');
    }
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}
