import { readEnv, toConfig } from '@sluice/config';
import { errorMessage } from '@sluice/domain';
import { debugOnSignal } from '@sluice/logger';
import type { UncaughtErrors } from '@sluice/node-packages';
import { Watchdog } from '@sluice/watchdog';
import { startApi } from './api.ts';
import { createApiLogger } from './context.ts';
import { untilReady } from './health/readiness.ts';

/** Milliseconds after the grace time at which a process that has not stopped is killed. */
const stopPatienceMs = 10_000;

try {
  const config = toConfig(readEnv());
  const logger = createApiLogger(config);
  debugOnSignal(logger);
  // Before packages are loaded: their code may block the event loop.
  const watchdog = new Watchdog({
    name: 'api',
    logLevel: config.logLevel,
    stallMs: config.stallMs,
    inFlight: ['requestId', 'method', 'path'],
    logger,
  });
  const showKey = (key: string) => process.stdout.write(`first API key, shown only now: ${key}\n`);
  const traces =
    config.traces && (await import('@sluice/telemetry/tracing')).startTracing({ service: 'sluice-api', ...config.traces });
  const watch = (uncaughtErrors: UncaughtErrors) =>
    uncaughtErrors.listen(process, { end: () => process.exit(1), atRejections: true });
  const api = await startApi(config, { showKey, watch, inFlight: watchdog.inFlight, logger });
  const stopping = new AbortController();
  const stop = () => {
    stopping.abort();
    watchdog.endWithin(config.shutdownGraceMs + stopPatienceMs);
    void api
      .stop()
      .then(() => traces?.close())
      .then(() => process.exit(0));
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  process.on('SIGHUP', stop); // its terminal or the reader of its output is gone
  process.on('disconnect', stop); // the parent that supervised us is gone
  await untilReady(api.context, stopping.signal);
} catch (error) {
  process.stderr.write(`sluice api cannot start: ${errorMessage(error)}\n`);
  process.exit(1);
}
