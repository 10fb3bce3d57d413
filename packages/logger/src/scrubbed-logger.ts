import { type ErrorFields, errorFields, isError } from './error-fields.ts';
import type { PlainLogger } from './plain-logger.ts';

/** Removes secrets from strings and data; implemented by the vault's `SecretScrubber`. */
export interface Scrubber {
  /** Whether there are no secrets yet. */
  readonly isEmpty: boolean;
  scrubText(text: string): string;
  /** A copy without secrets of data as returned by `JSON.parse`. */
  scrubValue(value: unknown): unknown;
}

/** A logger that removes the scrubber's current secrets from its lines. */
export function scrubbedLogger(logger: PlainLogger, scrubber: Scrubber): PlainLogger {
  const write = (level: keyof PlainLogger) => (fields: object, message: string) =>
    scrubber.isEmpty
      ? logger[level](fields, message)
      : logger[level](scrubFields(fields, scrubber), scrubber.scrubText(message));
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

function scrubFields(fields: object, scrubber: Scrubber): object {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, scrubField(value, scrubber)]));
}

function scrubField(value: unknown, scrubber: Scrubber): unknown {
  if (isError(value)) return scrubbedError(errorFields(value, Number.POSITIVE_INFINITY), scrubber);
  if (value === undefined || typeof value === 'function') return undefined;
  try {
    return scrubber.scrubValue(JSON.parse(JSON.stringify(value)));
  } catch {
    return '[not JSON]';
  }
}

/** An error that is logged like the original, without the secrets. */
function scrubbedError({ type, message, stack, code, details, cause, errors }: ErrorFields, scrubber: Scrubber): Error {
  const scrubbed = new Error(scrubber.scrubText(message));
  return Object.assign(scrubbed, {
    name: scrubber.scrubText(type),
    stack: scrubber.scrubText(stack ?? ''),
    ...(code !== undefined && { code: scrubField(code, scrubber) }),
    ...(details !== undefined && { details: scrubField(details, scrubber) }),
    ...(cause && { cause: scrubbedError(cause, scrubber) }),
    ...(errors && { errors: errors.map((each) => scrubbedError(each, scrubber)) }),
  });
}
