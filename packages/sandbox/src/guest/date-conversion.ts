import type { DateTime } from 'luxon';
import { isDateTime, luxon } from './dates.ts';
import { ExpressionFailure } from './failures.ts';

/** Milliseconds per unit of a timestamp. */
const stampUnits = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['us', 0.001],
]);
/** Days between the start of spreadsheet dates and 1970. */
const excelEpochDays = 25_569;
const dayMs = 86_400_000;

/**
 * Parses ISO 8601, HTTP, RFC 2822, SQL, a common format with day, month, and year, or a timestamp
 * (in milliseconds unless `unit` differs). Keeps a zone that the text contains.
 */
export function toDateTime(text: string, unit?: string): DateTime {
  const { DateTime } = luxon();
  const trimmed = text.trim();
  const options = { setZone: true };
  const readers = [
    () => (unit === undefined ? DateTime.fromISO(trimmed, options) : undefined),
    () => (/^-?\d+(?:\.\d+)?$/.test(trimmed) ? numberToDateTime(Number(trimmed), unit) : undefined),
    () => DateTime.fromHTTP(trimmed, options),
    () => DateTime.fromRFC2822(trimmed, options),
    () => DateTime.fromSQL(trimmed, options),
    () => (unit === undefined ? fromCommonFormat(trimmed) : undefined),
  ];
  for (const read of readers) {
    const date = read();
    if (date?.isValid) return date;
  }
  throw new ExpressionFailure(`"${text.substring(0, 100)}" cannot be read as a date`);
}

const maxDateLength = 200;
const threeNumbers = /^\d{1,4}[/.,-]\d{1,2}[/.,-]\d{1,4}\b/;
const year = /\b\d{4}\b/;
const monthName = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i;
const hasOffset = /\b(?:gmt|utc|z)\b|\d\s*[+-]\d{2}:?\d{2}\b/i;

/** Parses `1/31/2024` (month first), `Jan 31, 2024`, and the like, as date conditions do. */
function fromCommonFormat(text: string): DateTime | undefined {
  if (text.length > maxDateLength || /^\d{4}-\d{2}-\d{2}/.test(text)) return undefined;
  if (!threeNumbers.test(text) && !(year.test(text) && monthName.test(text))) return undefined;
  const local = new Date(text);
  if (Number.isNaN(local.getTime())) return undefined;
  const { DateTime } = luxon();
  if (hasOffset.test(text)) return DateTime.fromJSDate(local);
  return DateTime.fromObject({
    year: local.getFullYear(),
    month: local.getMonth() + 1,
    day: local.getDate(),
    hour: local.getHours(),
    minute: local.getMinutes(),
    second: local.getSeconds(),
    millisecond: local.getMilliseconds(),
  });
}

/** Unit of the timestamp: `ms` (the default), `s`, `us`, or `excel` for days since 1900. */
export function numberToDateTime(stamp: number, unit = 'ms'): DateTime {
  const factor = stampUnits.get(unit);
  const ms = unit === 'excel' ? (stamp - excelEpochDays) * dayMs : stamp * (factor ?? Number.NaN);
  const date = Number.isFinite(ms) ? luxon().DateTime.fromMillis(ms) : undefined;
  if (!date?.isValid) throw new ExpressionFailure(`${stamp} cannot be read as a timestamp in "${unit}"`);
  return date;
}

/** Accepts luxon and JavaScript dates, timestamps in milliseconds, and text. */
export function asDateTime(value: unknown): DateTime {
  if (isDateTime(value)) return value;
  if (value instanceof Date) return luxon().DateTime.fromJSDate(value);
  return typeof value === 'number' ? numberToDateTime(value) : toDateTime(String(value));
}
