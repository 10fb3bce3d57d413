import type { JsonValue } from '@sluice/node-sdk';
import { DateTime } from 'luxon';
import { parseDate } from './parse-date.ts';

/** A time as clocks in a time zone show it. */
export interface LocalTime {
  /** `2026-01-31` */
  date: string;
  /** `14:30:00` */
  time: string;
  /** `+01:00` */
  offset: string;
}

/**
 * The time that a string or a number represents, see `parseDate`; `undefined` for other values and
 * unknown zones.
 */
export function localTime(value: JsonValue, timezone: string): LocalTime | undefined {
  const at = parseDate(value, timezone);
  const local = at === undefined ? undefined : DateTime.fromMillis(at, { zone: timezone });
  if (!local?.isValid) return undefined;
  return { date: local.toFormat('yyyy-MM-dd'), time: local.toFormat('HH:mm:ss'), offset: local.toFormat('ZZ') };
}
