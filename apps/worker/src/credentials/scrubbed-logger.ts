import type { JsonValue } from '@sluice/domain';
import type { NodeLogger } from '@sluice/node-sdk';
import type { SecretScrubber } from '@sluice/vault';

/** A logger whose lines lose the secrets that the scrubber knows by then. */
export function scrubbedLogger(logger: NodeLogger, scrubber: SecretScrubber): NodeLogger {
  const write = (level: keyof NodeLogger) => (fields: object, message: string) =>
    scrubber.isEmpty
      ? logger[level](fields, message)
      : logger[level](scrubFields(fields, scrubber), scrubber.scrubText(message));
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

function scrubFields(fields: object, scrubber: SecretScrubber): object {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, scrubField(value, scrubber)]));
}

function scrubField(value: unknown, scrubber: SecretScrubber): unknown {
  if (value instanceof Error) return scrubError(value, scrubber);
  if (value === undefined || typeof value === 'function') return undefined;
  try {
    return scrubber.scrubValue(JSON.parse(JSON.stringify(value)) as JsonValue);
  } catch {
    return '[not JSON]';
  }
}

/** What the logger writes of an error, without the secrets. */
function scrubError(error: Error, scrubber: SecretScrubber): Error {
  const { cause, stack = '' } = error;
  const scrubbed = new Error(scrubber.scrubText(error.message));
  scrubbed.name = error.name;
  scrubbed.stack = scrubber.scrubText(stack);
  if (cause !== undefined) scrubbed.cause = scrubField(cause, scrubber);
  const { code, details } = error as { code?: unknown; details?: unknown };
  return Object.assign(scrubbed, {
    ...(code !== undefined && { code }),
    ...(details !== undefined && { details: scrubField(details, scrubber) }),
  });
}
