import { LruMap } from './lru-map.ts';

/*
 * QuickJS knows no time zones and no locales. This is the one function that the guest has of the host: JSON text in, JSON text
 * out, about dates only. It throws nothing; what it cannot answer is null.
 */

export interface ZoneQuery {
  zone: string;
  /** UTC year. */
  year: number;
}

export interface FormatQuery {
  /** BCP 47; absent: `en-US`. */
  locale?: string;
  /** Options of `Intl.DateTimeFormat`, by name. */
  options: Record<string, unknown>;
  /** Milliseconds since the epoch; absent: only what the options resolve to is asked. */
  ms?: number;
}

/** Offset from UTC in minutes, from an instant on. The first entry of a year's list counts from its beginning. */
export type ZoneOffset = [fromMs: number, offsetMinutes: number];

export interface FormattedDate {
  parts: { type: string; value: string }[];
  resolved: Record<string, unknown>;
}

export type HostZonesQuery = { offsets: ZoneQuery } | { format: FormatQuery };

const maxTextLength = 64;
const formats = new LruMap<string, Intl.DateTimeFormat>(100);
const years = new LruMap<string, ZoneOffset[]>(1_000);
const optionNames = new Set([
  'timeZone',
  'hour12',
  'hourCycle',
  'weekday',
  'era',
  'year',
  'month',
  'day',
  'dayPeriod',
  'hour',
  'minute',
  'second',
  'fractionalSecondDigits',
  'timeZoneName',
  'dateStyle',
  'timeStyle',
  'calendar',
  'numberingSystem',
]);

/** Answers a `HostZonesQuery` with `ZoneOffset[]`, `FormattedDate` or null. */
export function hostZones(request: string): string {
  try {
    const query = JSON.parse(request) as HostZonesQuery;
    return JSON.stringify('offsets' in query ? offsetsOfYear(query.offsets) : formatDate(query.format));
  } catch {
    return 'null';
  }
}

function formatDate({ locale = 'en-US', options, ms }: FormatQuery): FormattedDate {
  const format = formatFor(String(locale), options);
  return { parts: ms === undefined ? [] : format.formatToParts(ms), resolved: { ...format.resolvedOptions() } };
}

/** Options come from user text: known names, and short texts, small numbers and booleans, are all that gets through. */
function formatFor(locale: string, given: Record<string, unknown>): Intl.DateTimeFormat {
  const options: Record<string, unknown> = {};
  for (const name of optionNames) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (typeof value === 'boolean' || typeof value === 'number') options[name] = value;
    else if (typeof value === 'string' && value.length <= maxTextLength) options[name] = value;
  }
  const key = JSON.stringify([locale.slice(0, maxTextLength), options]);
  return formats.getOrAdd(key, () => new Intl.DateTimeFormat(locale.slice(0, maxTextLength), options));
}

function offsetsOfYear({ zone, year }: ZoneQuery): ZoneOffset[] {
  if (typeof zone !== 'string' || zone.length > maxTextLength || !Number.isSafeInteger(year)) throw new RangeError('bad zone');
  return years.getOrAdd(`${year} ${zone}`, () => findOffsets(zone, year));
}

/** Zones change their offset for weeks at least: looking twice a month finds each change, halving the gap places it. */
function findOffsets(zone: string, year: number): ZoneOffset[] {
  const start = Date.UTC(year, 0, 1);
  const end = Date.UTC(year + 1, 0, 1);
  const step = (end - start) / 24;
  const found: ZoneOffset[] = [[start, offsetAt(zone, start)]];
  for (let at = start; at < end; at += step) {
    const before = offsetAt(zone, at);
    const after = offsetAt(zone, Math.min(at + step, end - 1));
    if (before !== after) found.push([changeBetween(zone, at, at + step, before), after]);
  }
  return found;
}

/** The first second in (`from`, `to`] whose offset is no longer `before`. */
function changeBetween(zone: string, from: number, to: number, before: number): number {
  let low = Math.floor(from / 1000);
  let high = Math.ceil(to / 1000);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(zone, middle * 1000) === before) low = middle;
    else high = middle;
  }
  return high * 1000;
}

/** Minutes. What the zone's clock shows, read as UTC, less the instant itself. */
function offsetAt(zone: string, ms: number): number {
  const format = formatFor('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const shown = new Map<string, string>(format.formatToParts(ms).map(({ type, value }) => [type, value]));
  const part = (type: string) => Number(shown.get(type));
  const year = shown.get('era') === 'BC' ? 1 - part('year') : part('year');
  const clock = new Date(0);
  clock.setUTCFullYear(year, part('month') - 1, part('day'));
  clock.setUTCHours(part('hour'), part('minute'), part('second'));
  return (clock.getTime() - Math.floor(ms / 1000) * 1000) / 60_000;
}
