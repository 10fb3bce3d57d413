import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import { errorFields } from './error-fields.ts';
import { redactor } from './redaction.ts';

export type { Logger };

interface LoggerOptions {
  /** The process or component that logs: field `name` of each line. */
  name: string;
  /** Least severe level to write; `silent` writes nothing. */
  level: string;
  /** The header that carries API keys: its value is never written. */
  keyHeader?: string;
  /** Destination of the lines; default: stdout. */
  destination?: DestinationStream;
  /**
   * Fields of the calling code for each line, such as the ids of its trace. A new object each time.
   */
  context?: () => object;
}

/**
 * JSON lines, fields first: `logger.info({ executionId }, 'execution finished')`. Errors go under
 * `err`. The values of secret headers and fields are written as `[redacted]`. Never log payload
 * bodies.
 */
export function createLogger({ name, level, keyHeader = 'x-service-api-key', destination, context }: LoggerOptions): Logger {
  const redact = redactor(keyHeader);
  const options = {
    base: { name, pid: process.pid },
    level,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: redact },
    serializers: { err: (error: unknown) => redact(errorFields(error)) },
    ...(context && { mixin: context }),
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/**
 * For work that is not awaited: logs its failure, so that it is neither lost nor an unhandled
 * rejection.
 */
export function logRejection(logger: Pick<Logger, 'error'>, promise: Promise<unknown>, message: string): void {
  promise.catch((err: unknown) => logger.error({ err }, message));
}
