import QuickLRU from 'quick-lru';
import { cached } from './cached.ts';

export interface ZoneQuery {
  zone: string;
  /** UTC year. */
  year: number;
}

/**
 * Offset from UTC in minutes, valid from a given time. The first entry of a year starts with the
 * year.
 */
export type ZoneOffset = [fromMs: number, offsetMinutes: number];

const maxNameLength = 64;
const years = new QuickLRU<string, ZoneOffset[]>({ maxSize: 1_000 });
const clocks = new QuickLRU<string, Intl.DateTimeFormat>({ maxSize: 100 });

/** Throws a RangeError for an unknown zone. */
export function offsetsOfYear({ zone, year }: ZoneQuery): ZoneOffset[] {
  if (typeof zone !== 'string' || zone.length > maxNameLength || !Number.isSafeInteger(year)) throw new RangeError('bad zone');
  return cached(years, `${year} ${zone}`, () => findOffsets(zone, year));
}

/** In milliseconds. Not `Date.UTC`, which reads the years 0 to 99 as 1900 to 1999. */
function startOfYear(year: number): number {
  return new Date(0).setUTCFullYear(year, 0, 1);
}

/**
 * Zones keep an offset for at least weeks: two probes per month find each change, and bisection
 * locates it.
 */
function findOffsets(zone: string, year: number): ZoneOffset[] {
  const start = startOfYear(year);
  const end = startOfYear(year + 1);
  const step = (end - start) / 24;
  let before = offsetAt(zone, start);
  const offsets: ZoneOffset[] = [[start, before]];
  for (let at = start; at < end; at += step) {
    const after = offsetAt(zone, Math.min(at + step, end - 1));
    if (before !== after) offsets.push([changeBetween(zone, at, at + step, before), after]);
    before = after;
  }
  return offsets;
}

/** The first second in (`from`, `to`] whose offset differs from `before`. */
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

/** In minutes: the zone's local time, read as UTC, minus the actual time. */
function offsetAt(zone: string, ms: number): number {
  const parts = new Map<string, string>(
    clockOf(zone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: string) => Number(parts.get(type));
  const year = parts.get('era') === 'BC' ? 1 - part('year') : part('year');
  const clock = new Date(0);
  clock.setUTCFullYear(year, part('month') - 1, part('day'));
  clock.setUTCHours(part('hour'), part('minute'), part('second'));
  return (clock.getTime() - Math.floor(ms / 1000) * 1000) / 60_000;
}

function clockOf(zone: string): Intl.DateTimeFormat {
  return cached(
    clocks,
    zone,
    () =>
      new Intl.DateTimeFormat('en-US', {
        timeZone: zone,
        hourCycle: 'h23',
        era: 'short',
        year: 'numeric',
        month: 'numeric',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
        second: 'numeric',
      }),
  );
}
