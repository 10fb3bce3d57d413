import type { PlainLogger } from './plain-logger.ts';

/**
 * Adds the same fields to each line. Cheaper than a child logger, which takes about 25 µs to
 * create: too slow for each execution.
 */
export function withFields(logger: PlainLogger, fields: object): PlainLogger {
  return {
    debug: (more, message) => logger.debug({ ...fields, ...more }, message),
    info: (more, message) => logger.info({ ...fields, ...more }, message),
    warn: (more, message) => logger.warn({ ...fields, ...more }, message),
    error: (more, message) => logger.error({ ...fields, ...more }, message),
  };
}
