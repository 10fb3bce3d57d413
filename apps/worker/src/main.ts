import { readEnv, requireServices, toConfig } from '@sluice/config';
import { errorMessage, isAppError } from '@sluice/domain';
import { debugOnSignal } from '@sluice/logger';
import type { UncaughtErrors } from '@sluice/node-packages';
import { Watchdog } from '@sluice/watchdog';
import { createWorkerLogger } from './context.ts';
import { sourceLeaseMs } from './triggers/sources/source-lease-keeper.ts';
import { startWorker, stopPatienceMs } from './worker.ts';

/** As of the command line for a service that cannot be reached. */
const unavailableExitCode = 3;

try {
  const config = toConfig(readEnv());
  const logger = createWorkerLogger(config);
  debugOnSignal(logger);
  const { leaseMs } = config.worker;
  // Before packages are loaded: their code may block the event loop.
  const watchdog = new Watchdog({
    name: 'worker',
    logLevel: config.logLevel,
    stallMs: config.stallMs,
    lease: { databaseUrl: requireServices(config).databaseUrl, terms: { leaseMs, sourceLeaseMs } },
    inFlight: ['executionId', 'workflowId', 'nodeName'],
    logger,
  });
  const traces =
    config.traces && (await import('@sluice/telemetry/tracing')).startTracing({ service: 'sluice-worker', ...config.traces });
  const watch = (uncaughtErrors: UncaughtErrors) => uncaughtErrors.listen(process, { end: () => process.exit(1) });
  const stopping = new AbortController();
  const started = startWorker(config, { watch, watchdog, logger, signal: stopping.signal });
  const stop = () => {
    watchdog.endWithin(config.shutdownGraceMs + stopPatienceMs);
    stopping.abort();
    void started
      .then(
        (worker) => worker.stop(),
        () => undefined, // the start was given up
      )
      .then(() => traces?.close())
      .then(() => process.exit(0));
  };
  // Registered before the worker has started, which waits for Redis without limit.
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  process.on('SIGHUP', stop); // its terminal or the reader of its output is gone
  process.on('disconnect', stop); // the supervising parent has exited
  await started.catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error;
  });
} catch (error) {
  process.stderr.write(`sluice worker cannot start: ${errorMessage(error)}\n`);
  process.exit(isAppError(error) && error.retryable ? unavailableExitCode : 1);
}
