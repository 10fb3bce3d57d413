import { type ErrorFields, errorFields, isError } from './error-fields.ts';
import type { PlainLogger } from './plain-logger.ts';

/** What takes secrets out of texts and of data, as the vault's `SecretScrubber` does. */
export interface Scrubber {
  /** There is nothing to take out yet. */
  readonly isEmpty: boolean;
  scrubText(text: string): string;
  /** A copy of data, as `JSON.parse` gives them. */
  scrubValue(value: unknown): unknown;
}

/** A logger whose lines lose the secrets that the scrubber knows by then. */
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
  if (isError(value)) return scrubbedError(errorFields(value), scrubber);
  if (value === undefined || typeof value === 'function') return undefined;
  try {
    return scrubber.scrubValue(JSON.parse(JSON.stringify(value)));
  } catch {
    return '[not JSON]';
  }
}

/** An error of which the logger writes the same, without the secrets. */
function scrubbedError({ type, message, stack, code, details, cause, errors }: ErrorFields, scrubber: Scrubber): Error {
  const scrubbed = new Error(scrubber.scrubText(message));
  return Object.assign(scrubbed, {
    name: type,
    stack: scrubber.scrubText(stack ?? ''),
    ...(code !== undefined && { code }),
    ...(details !== undefined && { details: scrubField(details, scrubber) }),
    ...(cause && { cause: scrubbedError(cause, scrubber) }),
    ...(errors && { errors: errors.map((each) => scrubbedError(each, scrubber)) }),
  });
}
