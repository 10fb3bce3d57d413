export { createLogger, type Logger, type LoggerOptions, logRejection } from './logger.ts';
export type { PlainLogger } from './plain-logger.ts';
export { type Scrubber, scrubbedLogger } from './scrubbed-logger.ts';
export { withFields } from './with-fields.ts';
