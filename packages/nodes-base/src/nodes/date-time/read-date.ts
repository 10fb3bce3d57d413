import { type JsonValue, NodeOperationError } from '@sluice/node-sdk';
import { DateTime } from 'luxon';
import moment from 'moment-timezone';
import { stringOf } from '../../shared/coerced-text.ts';
import { describeValue } from '../../shared/parameters.ts';
import { parseInUtc } from './parse-in-utc.ts';

export const locale = { locale: 'en-US' } as const;

/** `Date` would move February 30 to March. */
const isoDay = /^\d{4}-\d\d-\d\d(?:T|$)/;

const namedZone = /^(.{1,60}(?:Z|[+-]\d\d:\d\d))\[([\w/+:-]{1,60})\](?:\[_locale=([\w-]{1,60})\])?$/;

/** A date from an expression, whose text ends with its time zone and locale (`keepsTimeZone`). */
export function readZonedDate(value: JsonValue | undefined): DateTime | undefined {
  const [, text, zone, ownLocale] = (typeof value === 'string' && namedZone.exec(value)) || [];
  const date = text === undefined ? undefined : DateTime.fromISO(text, { zone, locale: ownLocale ?? locale.locale });
  return date?.isValid ? date : undefined;
}

/**
 * Longer text is not a date, and longer formats are truncated, since the parsers scan both
 * completely.
 */
const maxLength = 200;

/** Timestamps of at least this value are milliseconds; smaller timestamps are seconds. */
const firstMilliseconds = 1e11;

/**
 * Milliseconds since the epoch for a timestamp, ISO 8601, RFC 2822, or another format that `Date`
 * reads. ISO text without an offset is in `zone`; text in other formats is in UTC. Throws a
 * `NodeOperationError` that begins with `what`.
 */
export function readDate(value: JsonValue | undefined, zone: string, what: string, itemIndex: number): number {
  const milliseconds = value === undefined || typeof value === 'object' ? Number.NaN : parseDate(value, zone);
  if (!Number.isNaN(milliseconds)) return milliseconds;
  throw notDate(value, what, itemIndex, `Write it as 2024-01-31 or 2024-01-31T13:45:00, in the time zone ${zone}`);
}

function parseDate(value: Exclude<JsonValue, object | null>, zone: string): number {
  const text = stringOf(value);
  if (text.trim() === '' || text.length > maxLength) return Number.NaN;
  const number = Number(value);
  if (Number.isFinite(number)) return Math.abs(number) < firstMilliseconds ? Math.round(number * 1000) : Math.trunc(number);
  const dates = [moment.ISO_8601, moment.RFC_2822].map((format) => moment.tz(text, format, zone));
  const date = dates.find((candidate) => candidate.isValid());
  return date ? date.valueOf() : isoDay.test(text) ? Number.NaN : parseInUtc(text);
}

/** Reads a date in a moment format, with moment's leniency. */
export function readInFormat(value: JsonValue | undefined, format: string, zone: string, itemIndex: number): moment.Moment {
  const text = typeof value === 'object' || value === undefined ? '' : stringOf(value);
  const date = moment.tz(text.slice(0, maxLength), format.slice(0, maxLength), zone);
  if (date.isValid()) return date;
  throw notDate(value, 'the parameter "value"', itemIndex, `It must have the format ${format}`);
}

/** Reads a date in a luxon format. */
export function readInLuxonFormat(value: JsonValue, format: string, zone: string, itemIndex: number): DateTime {
  const text = typeof value === 'object' ? '' : stringOf(value);
  const date = inLuxonFormat(text, format, { zone, ...locale });
  if (date.isValid) return date;
  throw notDate(value, 'the parameter "date"', itemIndex, `It must have the format ${format}`);
}

function inLuxonFormat(text: string, format: string, options: { zone: string; locale: string }): DateTime {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (format === 'X') return DateTime.fromSeconds(number, options);
  if (format === 'x') return DateTime.fromMillis(number, options);
  return DateTime.fromFormat(text, format, options);
}

export function notDate(
  value: JsonValue | undefined,
  what: string,
  itemIndex: number,
  description: string,
): NodeOperationError {
  return new NodeOperationError(`${what} must be a date, but is ${describeValue(value)}`, { itemIndex, description });
}

/**
 * A calculated date in ISO 8601; null means that it is out of range in JavaScript. Throws a
 * `NodeOperationError` for null.
 */
export function calculatedDate(text: string | null, itemIndex: number): string {
  if (text !== null) return text;
  throw new NodeOperationError('the result is too far in the past or future for a date', {
    itemIndex,
    description: 'Check the duration and its unit',
  });
}

/** A time zone by its IANA name. */
export function checkedZone(zone: string, parameter: string, itemIndex: number): string {
  if (DateTime.utc().setZone(zone).isValid) return zone;
  throw new NodeOperationError(`the parameter "${parameter}" must be a time zone, but is ${describeValue(zone)}`, {
    itemIndex,
    description: 'Use a name such as Europe/Berlin',
  });
}
