import { messageOf } from './failures.ts';
import { stringify } from './json.ts';

interface LogLimits {
  maxLogEntries: number;
  maxLogLength: number;
}

/**
 * A `console` that writes to `logs`, one entry per call, up to a maximum number of entries and a
 * total length.
 */
export function createConsole(logs: string[], { maxLogEntries, maxLogLength }: LogLimits): Record<string, unknown> {
  let length = 0;
  let count = 0;
  const write = (...values: unknown[]) => {
    if (count >= maxLogEntries || length >= maxLogLength) return;
    const entry = values
      .map(printed)
      .join(' ')
      .substring(0, maxLogLength - length);
    logs[count] = entry;
    count += 1;
    length += entry.length;
  };
  const nothing = () => {};
  const writers = { log: write, info: write, warn: write, error: write, debug: write, trace: write, dir: write, table: write };
  return { ...writers, group: write, groupEnd: nothing, time: nothing, timeEnd: nothing, assert: nothing };
}

function printed(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Error) return `${messageOf(value)}`;
  try {
    return stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}
