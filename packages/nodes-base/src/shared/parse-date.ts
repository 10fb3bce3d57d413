import type { JsonValue } from '@sluice/node-sdk';
import { DateTime } from 'luxon';

/**
 * Milliseconds since the epoch of a date: ISO 8601, RFC 2822, HTTP or SQL text, or milliseconds themselves. Text without an offset is in
 * `timezone` (IANA). `undefined`: it is none of these.
 */
export function parseDate(value: JsonValue, timezone: string): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  const options = { zone: timezone };
  const candidates = [DateTime.fromISO, DateTime.fromRFC2822, DateTime.fromHTTP, DateTime.fromSQL];
  return candidates
    .map((parse) => parse(text, options))
    .find((date) => date.isValid)
    ?.toMillis();
}
