import type { JsonValue } from '@sluice/node-sdk';
import { DateTime } from 'luxon';

/** Longer text is not a date; the limit also bounds the cost of the patterns. */
const maxDateLength = 200;

/** The range of dates in JavaScript. */
const maxMilliseconds = 8.64e15;

/**
 * A date in milliseconds since the epoch: from ISO 8601, RFC 2822, HTTP, or SQL text, or from
 * milliseconds. Text without an offset is in `timezone` (IANA). `undefined` for other values.
 */
export function parseDate(value: JsonValue, timezone: string): number | undefined {
  if (typeof value === 'number') return Math.abs(value) <= maxMilliseconds ? value : undefined;
  if (typeof value !== 'string' || value.length > maxDateLength) return undefined;
  const text = value.trim();
  for (const parse of parsers) {
    const date = parse(text, { zone: timezone });
    if (date.isValid) return date.toMillis();
  }
  return undefined;
}

const parsers = [DateTime.fromISO, DateTime.fromRFC2822, DateTime.fromHTTP, DateTime.fromSQL];

const threeNumbers = /^\s*\d{1,4}[/.,-]\d{1,2}[/.,-]\d{1,4}\b/;
const year = /\b\d{4}\b/;
const monthName = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i;
const isoDate = /^\s*\d{4}-\d{2}-\d{2}/;
const hasOffset = /\b(gmt|utc|z)\b|\d\s*[+-]\d{2}:?\d{2}\b/i;

/** Whether the text has day, month, and year as three numbers, or a year and a month name. */
function looksLikeDate(text: string): boolean {
  return threeNumbers.test(text) || (year.test(text) && monthName.test(text));
}

/**
 * Like `parseDate`, plus other common formats such as `1/31/2024` (month first) or `Jan 31, 2024`.
 * Text that is only possibly a date, such as `5`, is not accepted.
 */
function parseAnyDate(value: JsonValue, timezone: string): number | undefined {
  const [single, ...more] = Array.isArray(value) ? value : [value];
  if (single === undefined || more.length > 0) return undefined;
  if (typeof single === 'string' && single.length > maxDateLength) return undefined;
  const exact = parseDate(single, timezone);
  if (exact !== undefined || typeof single !== 'string' || isoDate.test(single) || !looksLikeDate(single)) return exact;
  const local = new Date(single);
  if (Number.isNaN(local.getTime())) return undefined;
  if (hasOffset.test(single)) return local.getTime();
  const [fullYear, month, day] = [local.getFullYear(), local.getMonth() + 1, local.getDate()];
  const [hour, minute, second, millisecond] = [
    local.getHours(),
    local.getMinutes(),
    local.getSeconds(),
    local.getMilliseconds(),
  ];
  return DateTime.fromObject({ year: fullYear, month, day, hour, minute, second, millisecond }, { zone: timezone }).toMillis();
}

const maxCached = 1_000;

/**
 * Reads dates in one time zone, like `parseAnyDate`. Caches the first thousand strings, so
 * constants are parsed once.
 */
export class DateReader {
  readonly #timezone: string;
  readonly #known = new Map<string, number | undefined>();

  constructor(timezone: string) {
    this.#timezone = timezone;
  }

  read(value: JsonValue): number | undefined {
    if (typeof value !== 'string' || value.length > maxDateLength) return parseAnyDate(value, this.#timezone);
    const cached = this.#known.get(value);
    if (cached !== undefined || this.#known.has(value)) return cached;
    const milliseconds = parseAnyDate(value, this.#timezone);
    if (this.#known.size < maxCached) this.#known.set(value, milliseconds);
    return milliseconds;
  }
}
