import { errorFields } from './error-fields.ts';
import type { Logger } from './logger.ts';

/** Milliseconds until a line about the same error is repeated. */
const repeatMs = 60_000;

/**
 * For work that repeats every second or so: logs its errors, but an unchanged one only once a
 * minute, so that an outage does not fill the log. `now`: milliseconds; default:
 * `performance.now()`.
 */
export function failureLog(
  logger: Pick<Logger, 'warn'>,
  message: string,
  now = () => performance.now(),
): (error: unknown) => void {
  let last: { line: string; at: number } | undefined;
  return (thrown) => {
    const { message: error, cause } = errorFields(thrown);
    const fields = { error, ...(cause && { cause: cause.message }) };
    const line = JSON.stringify(fields);
    if (last?.line === line && now() - last.at < repeatMs) return;
    last = { line, at: now() };
    logger.warn(fields, message);
  };
}
