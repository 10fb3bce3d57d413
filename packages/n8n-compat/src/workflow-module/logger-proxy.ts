import { AsyncLocalStorage } from 'node:async_hooks';
import type { NodeLogger } from '@sluice/node-sdk';
import { hostLogger } from '../host-logger.ts';

/** The logger of what runs: of a run, a poll, a listener or a call. Timers and promises inherit it from where they are made. */
const current = new AsyncLocalStorage<NodeLogger>();
let processLogger: NodeLogger | undefined;

/** Code of packages that `work` calls logs to `logger`, wherever in their modules it does. */
export function withLogger<T>(logger: NodeLogger, work: () => T): T {
  return current.run(logger, work);
}

/** From now on, for the process: what modules of packages log outside of anything that runs, as when they are loaded. Without it, that is dropped. */
export function logModulesTo(logger: NodeLogger): void {
  processLogger = logger;
}

const silent: NodeLogger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** The logger of whatever runs. `init` would put another in its place for all packages of the process: it has no effect. */
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
