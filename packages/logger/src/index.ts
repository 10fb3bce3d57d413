export { createLogger, type Logger, type LoggerOptions, logRejection } from './logger.ts';
