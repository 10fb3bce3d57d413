import { type JsonValue, NodeOperationError } from '@sluice/node-sdk';
import { DateTime } from 'luxon';
import { describeValue } from '../../shared/parameters.ts';
import { parseDate } from '../../shared/parse-date.ts';

/** Formats that people write without naming them, in the order in which they are tried. */
const common = [
  'yyyy/MM/dd',
  'yyyy/MM/dd HH:mm',
  'yyyy/MM/dd HH:mm:ss',
  'MM/dd/yyyy',
  'M/d/yyyy',
  'M/d/yyyy HH:mm',
  'M/d/yyyy HH:mm:ss',
  'M/d/yyyy h:mm a',
  'M/d/yyyy h:mm:ss a',
  'MMM d, yyyy',
  'MMMM d, yyyy',
  'MMM d yyyy',
  'MMMM d yyyy',
  'd MMM yyyy',
  'd MMMM yyyy',
  'EEE MMM dd yyyy HH:mm:ss',
];

export const locale = { locale: 'en-US' } as const;

export interface DateSource {
  /** IANA name: where text without an offset is. */
  zone: string;
  /** luxon's tokens; undefined: any common format. */
  format?: string | undefined;
}

/** Reads a date: ISO 8601, RFC 2822, a common format or the one given; seconds (ten digits) or milliseconds since the epoch. */
export function readDate(value: JsonValue | undefined, source: DateSource, what: string, itemIndex: number): DateTime {
  const { zone, format } = source;
  if (value !== undefined && value !== null && value !== '') {
    const date = format ? fromFormat(String(value), format, source) : anyDate(value, source);
    if (date?.isValid) return date.setLocale(locale.locale);
  }
  throw new NodeOperationError(`${what} has to be a date, and is ${describeValue(value)}`, {
    itemIndex,
    description: format
      ? `It has to have the format ${format}`
      : `Write it as 2024-01-31 or 2024-01-31T13:45:00, in the time zone ${zone}`,
  });
}

function fromFormat(text: string, format: string, { zone }: DateSource): DateTime {
  if (format === 'X') return DateTime.fromSeconds(Number(text), { zone });
  if (format === 'x') return DateTime.fromMillis(Number(text), { zone });
  return DateTime.fromFormat(text, format, { zone, ...locale });
}

function anyDate(value: JsonValue, { zone }: DateSource): DateTime | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') return undefined;
  if (/^-?\d{9,}(?:\.\d+)?$/.test(text.trim())) return fromTimestamp(text.trim(), zone);
  const milliseconds = parseDate(text, zone);
  if (milliseconds !== undefined) return DateTime.fromMillis(milliseconds, { zone });
  return common.map((format) => DateTime.fromFormat(text.trim(), format, { zone, ...locale })).find((date) => date.isValid);
}

/** Up to ten digits are seconds. */
function fromTimestamp(text: string, zone: string): DateTime {
  const [whole = ''] = text.replace('-', '').split('.');
  return whole.length <= 10 ? DateTime.fromSeconds(Number(text), { zone }) : DateTime.fromMillis(Number(text), { zone });
}

/** A time zone by its IANA name. */
export function checkedZone(zone: string, parameter: string, itemIndex: number): string {
  if (DateTime.utc().setZone(zone).isValid) return zone;
  throw new NodeOperationError(`the parameter "${parameter}" has to be a time zone, and is ${describeValue(zone)}`, {
    itemIndex,
    description: 'Use a name such as Europe/Berlin',
  });
}
