import type { JsonValue } from '@sluice/node-sdk';

/**
 * A date in milliseconds since the epoch, as `DateReader` reads it; the date code is loaded on
 * first use.
 */
export async function readDate(value: JsonValue, timezone: string): Promise<number | undefined> {
  const { DateReader } = await import('./parse-date.ts');
  return new DateReader(timezone).read(value);
}
