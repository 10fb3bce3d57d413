import type { JsonValue } from '@sluice/node-sdk';

/**
 * A date in milliseconds since the epoch, as `DateReader` reads it; the code for dates is loaded at
 * the first use.
 */
export async function readDate(value: JsonValue, timezone: string): Promise<number | undefined> {
  const { DateReader } = await import('./parse-date.ts');
  return new DateReader(timezone).read(value);
}
