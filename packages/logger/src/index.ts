export { debugOnSignal } from './debug-on-signal.ts';
export { failureLog } from './failure-log.ts';
export { createLogger, type Logger, logRejection } from './logger.ts';
export { scrubbedLogger } from './scrubbed-logger.ts';
export { withFields } from './with-fields.ts';
