import { setTimeout as delay } from 'node:timers/promises';
import { assertMigrated } from '@sluice/db';
import { createContext, type WorkerContext } from './context.ts';
import { type HealthServer, startHealthServer } from './health-server.ts';

export interface RunningWorker {
  context: WorkerContext;
  healthPort: number;
  /**
   * Takes no further work, waits up to the grace time for what runs, aborts the rest (it ends as `crashed` and can be retried),
   * gives the lease up and closes. A second call while one is under way ends the grace time.
   */
  stop(): Promise<void>;
}

/** Starts a worker. Throws when Postgres cannot be reached, its migrations have not run, or the master keys are not its own. */
export async function startWorker(...args: Parameters<typeof createContext>): Promise<RunningWorker> {
  const context = createContext(...args);
  const { config, db, redisWatch, lease, sweeper, consumer, logger } = context;
  let stopping: Promise<void> | undefined;
  const hurry = new AbortController();
  const readiness = () => ({
    postgres: db.up && lease.alive,
    redis: redisWatch.up,
    queue: consumer.running && stopping === undefined,
  });
  let health: HealthServer | undefined;
  try {
    await assertMigrated(db);
    // Before anything is taken: a port that is in use must not cost an execution.
    health = await startHealthServer(config.http.host, config.worker.healthPort, readiness);
    await context.checkKeys();
    await lease.start();
    context.listen();
    await consumer.start();
    sweeper.start();
    const { port: healthPort, close: closeHealth } = health;
    logger.info({ workerId: lease.workerId, healthPort, concurrency: config.worker.concurrency }, 'worker ready');
    return {
      context,
      healthPort,
      stop() {
        if (stopping) hurry.abort();
        stopping ??= stopWorker(context, hurry.signal).finally(closeHealth);
        return stopping;
      },
    };
  } catch (error) {
    sweeper.stop();
    context.closing.abort();
    await health?.close();
    await consumer.close();
    await lease.release().catch(() => undefined);
    await context.closeConnections();
    throw error;
  }
}

/** Time for aborted nodes to let go and for their ends to be written, in milliseconds. */
const abortGraceMs = 3_000;

async function stopWorker(context: WorkerContext, hurry: AbortSignal): Promise<void> {
  const { config, held, lease, sweeper, consumer, logger, closing } = context;
  logger.info({ running: held.size }, 'worker stopping');
  sweeper.stop();
  const drained = consumer.close();
  await Promise.race([drained, delay(config.shutdownGraceMs, undefined, { signal: hurry }).catch(() => undefined)]);
  if (held.size > 0) logger.warn({ running: held.size }, 'grace time is over; aborting what still runs');
  held.abortAll('shutdown');
  closing.abort();
  await Promise.race([drained, delay(abortGraceMs)]);
  await lease.release().catch((error: unknown) => logger.warn({ err: error }, 'the lease stays until it expires'));
  await context.closeConnections();
  logger.info({}, 'worker stopped');
}
