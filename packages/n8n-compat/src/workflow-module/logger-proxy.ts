import { AsyncLocalStorage } from 'node:async_hooks';
import type { NodeLogger } from '@sluice/node-sdk';
import { hostLogger } from '../host-logger.ts';

/**
 * The logger of the running code: a run, poll, listener, or request. Timers and promises inherit
 * it.
 */
const current = new AsyncLocalStorage<NodeLogger>();
let processLogger: NodeLogger | undefined;

/**
 * Runs `work`; log lines of the package code that it calls go to `logger`, from any of the
 * package's modules.
 */
export function withLogger<T>(logger: NodeLogger, work: () => T): T {
  return current.run(logger, work);
}

/**
 * Sets the logger for package modules outside of runs, such as during loading. Without it, their
 * log lines are dropped.
 */
export function logModulesTo(logger: NodeLogger): void {
  processLogger = logger;
}

const silent: NodeLogger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/**
 * The running code's logger. `init` has no effect, because it would replace the logger for all
 * packages in the process.
 */
export const LoggerProxy = {
  ...hostLogger({
    debug: (fields, message) => loggerNow().debug(fields, message),
    info: (fields, message) => loggerNow().info(fields, message),
    warn: (fields, message) => loggerNow().warn(fields, message),
    error: (fields, message) => loggerNow().error(fields, message),
  }),
  init: (): void => undefined,
};

function loggerNow(): NodeLogger {
  return current.getStore() ?? processLogger ?? silent;
}
