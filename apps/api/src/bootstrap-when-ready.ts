import { setTimeout as delay } from 'node:timers/promises';
import { ensureBootstrap } from '@sluice/db';
import { errorMessage } from '@sluice/domain';
import type { ApiContext } from './context.ts';

const pauseMs = 500;

/**
 * Makes the owner and the first key as soon as the database is there and migrated. A key that had to be generated goes to
 * `show`, once: it is stored nowhere. Ends without having done so when `signal` fires.
 */
export async function bootstrapWhenReady(
  { db, config, readiness, logger }: ApiContext,
  show: (key: string) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await readiness.assertReady();
      const { generatedKey } = await ensureBootstrap(db, config.secrets);
      if (generatedKey !== undefined) show(generatedKey);
      return;
    } catch (error) {
      logger.debug({ error: errorMessage(error) }, 'waiting for the database');
    }
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}
