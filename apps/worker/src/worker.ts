import { type Config, requireServices } from '@sluice/config';
import { assertMigrated, databaseEndpoints, processStart } from '@sluice/db';
import { isAppError, UnavailableError, within } from '@sluice/domain';
import { loadNodePackages, logNodePackages, UncaughtErrors } from '@sluice/node-packages';
import { createContext, createWorkerLogger, type WorkerContext, type WorkerOverrides } from './context.ts';
import { type HealthServer, startHealthServer } from './health-server.ts';
import { startServices, stopServices } from './services.ts';

export interface RunningWorker {
  context: WorkerContext;
  healthPort: number;
  /**
   * Accepts no further work, waits up to the grace period for running executions, aborts the rest
   * (they continue on another worker, or end as `crashed` and can be retried), releases the lease,
   * and closes. A second call ends the grace period early.
   */
  stop(): Promise<void>;
}

export interface StartOverrides extends Omit<WorkerOverrides, 'uncaughtErrors'> {
  /**
   * Receives the handler of errors that node code throws outside its calls, before any node code is
   * loaded.
   */
  watch?: (uncaughtErrors: UncaughtErrors) => void;
  /** Ends a start that is in progress; default: never. */
  signal?: AbortSignal;
}

/**
 * Starts a worker; waits for Redis. Throws if Postgres cannot be reached, its migrations have not
 * run, or the master keys do not match the database, and the reason of `signal` once that fires.
 */
export async function startWorker(config: Config, options: StartOverrides = {}): Promise<RunningWorker> {
  const { watch, signal = new AbortController().signal, ...overrides } = options;
  const workerLogger = overrides.logger ?? createWorkerLogger(config);
  const uncaughtErrors = new UncaughtErrors(workerLogger);
  watch?.(uncaughtErrors);
  const nodePackages = await loadNodePackages({ ...config.nodePackages, uncaughtErrors, logger: workerLogger });
  const context = createContext(config, { nodePackages, ...overrides, logger: workerLogger, uncaughtErrors });
  logNodePackages(nodePackages, context.logger);
  const { db, redisWatch, lease, services, intakes, logger } = context;
  let stopping: Promise<void> | undefined;
  const hurry = new AbortController();
  const readiness = () => ({
    postgres: db.up && lease.alive,
    redis: redisWatch.up,
    queue: intakes.every((intake) => intake.isReading) && stopping === undefined,
  });
  let health: HealthServer | undefined;
  try {
    await assertMigrated(db);
    // Before any work is taken: a port in use must not fail an execution.
    const { host } = config.http;
    health = await startHealthServer({ host, port: config.worker.healthPort, readiness, metrics: context.metrics });
    context.ownEndpoints.add({ host: '127.0.0.1', port: health.port });
    await context.checkKeys();
    context.audit.record(processStart('worker', config.changedSettings));
    await lease.start();
    context.subscribe();
    await startServices(services, signal);
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
    await stopWorker(context, hurry.signal).finally(() => health?.close());
    throw withDatabaseName(error, config);
  }
}

/** For operators: errors of statements reach callers, who must not learn where the database is. */
function withDatabaseName(error: unknown, config: Config): unknown {
  if (!isAppError(error) || error.code !== 'SERVICE_UNAVAILABLE') return error;
  const addresses = databaseEndpoints(requireServices(config).databaseUrl).map(({ host, port }) => `${host}:${port}`);
  return addresses.length === 0 ? error : new UnavailableError(`Postgres at ${addresses.join(', ')}: ${error.message}`, error);
}

/** Milliseconds for aborted nodes to stop and for their ends to be written. */
const abortGraceMs = 3_000;
/** Milliseconds after the grace period until a process that has not stopped is killed. */
export const stopPatienceMs = abortGraceMs + 7_000;

async function stopWorker(context: WorkerContext, hurry: AbortSignal): Promise<void> {
  const { config, inFlightExecutions, lease, services, logger } = context;
  logger.info({ running: inFlightExecutions.size }, 'worker stopping');
  const drained = stopServices(services);
  await within(config.shutdownGraceMs, drained, hurry);
  if (inFlightExecutions.size > 0)
    logger.warn({ running: inFlightExecutions.size }, 'the grace period is over; aborting running executions');
  inFlightExecutions.abortAll('shutdown');
  context.endWaits();
  await within(abortGraceMs, drained);
  await lease
    .release()
    .catch((error: unknown) => logger.warn({ err: error }, 'the lease could not be released; it will expire'));
  await context.closeConnections();
  logger.info({}, 'worker stopped');
}
