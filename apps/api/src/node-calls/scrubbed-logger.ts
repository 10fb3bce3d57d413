import type { JsonValue } from '@sluice/domain';
import type { NodeLogger } from '@sluice/node-sdk';
import type { SecretScrubber } from '@sluice/vault';

/** A logger for the code of nodes: its lines have `fields`, and lose the secrets that the scrubber knows by then. */
export function scrubbedLogger(logger: NodeLogger, scrubber: SecretScrubber, fields: object): NodeLogger {
  const write = (level: keyof NodeLogger) => (more: object, message: string) =>
    logger[level]({ ...fields, ...toJson(more, scrubber) }, scrubber.scrubText(message));
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

function toJson(fields: object, scrubber: SecretScrubber): object {
  const entries = Object.entries(fields).map(([name, value]) => [name, scrubField(value, scrubber)] as const);
  return Object.fromEntries(entries);
}

function scrubField(value: unknown, scrubber: SecretScrubber): unknown {
  if (value instanceof Error)
    return { message: scrubber.scrubText(value.message), stack: scrubber.scrubText(value.stack ?? '') };
  try {
    return scrubber.scrubValue(JSON.parse(JSON.stringify(value) ?? 'null') as JsonValue);
  } catch {
    return '[not JSON]';
  }
}
