import { assertMigrated, type Database } from '@sluice/db';
import { AppError, errorMessage, isAppError, pause } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import type { RedisWatch } from '@sluice/queue';
import { Router } from 'express';

interface ReadinessParts {
  db: Database;
  redisWatch: Pick<RedisWatch, 'problem'>;
  /** Checks the master keys, creates the owner and a first key. Safe to repeat. */
  prepare(): Promise<void>;
}

/** Whether a run would be accepted now. */
export class Readiness {
  readonly #parts: ReadinessParts;
  #prepared: Promise<void> | undefined;
  /** The check in progress; shared, so that a public endpoint does not use up connections. */
  #checking: Promise<unknown> | undefined;
  #stopping = false;

  constructor(parts: ReadinessParts) {
    this.#parts = parts;
  }

  /** Reports not ready from now on, so that load balancers route elsewhere. */
  stop(): void {
    this.#stopping = true;
  }

  /** Throws `SERVICE_UNAVAILABLE` with every missing part, and the database error as its cause. */
  async assertReady(): Promise<void> {
    const missing: { path: string; message: string }[] = [];
    if (this.#stopping) missing.push({ path: 'process', message: 'is stopping' });
    const { problem } = this.#parts.redisWatch;
    if (problem !== undefined) missing.push({ path: 'redis', message: problem });
    this.#checking ??= this.#databaseProblem().finally(() => {
      this.#checking = undefined;
    });
    const cause = await this.#checking;
    if (cause !== undefined) missing.push({ path: 'postgres', message: describe(cause) });
    if (missing.length === 0) return;
    throw new AppError({ code: 'SERVICE_UNAVAILABLE', message: 'not ready', kind: 'transient', details: missing, cause });
  }

  async #databaseProblem(): Promise<unknown> {
    try {
      if (this.#prepared) await this.#parts.db.assertWritable();
      await this.#prepare();
      return undefined;
    } catch (error) {
      return error;
    }
  }

  /** Runs once for all callers; repeated after a failure. */
  #prepare(): Promise<void> {
    this.#prepared ??= assertMigrated(this.#parts.db)
      .then(() => this.#parts.prepare())
      .catch((error: unknown) => {
        this.#prepared = undefined;
        throw error;
      });
    return this.#prepared;
  }
}

function describe(error: unknown): string {
  return isAppError(error) ? error.message : 'has a schema that cannot be read';
}

const pauseMs = 500;

/**
 * Polls until everything is ready, so that the first key is created and shown even without requests
 * to `/readyz`. Ends when `signal` aborts. Throws `WRONG_ENCRYPTION_KEY`, which waiting does not
 * fix.
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

/** `/healthz`: the process is alive. `/readyz`: it would accept a run. Both are public. */
export function healthRouter(readiness: Readiness): Router {
  const router = Router({ caseSensitive: true });
  router.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  router.get('/readyz', async (_request, response) => {
    await readiness.assertReady();
    response.json({ status: 'ok' });
  });
  return router;
}
