import type * as Luxon from 'luxon';
import { defineAll } from './language.ts';
import type { Zones } from './zones.ts';

/** Makes luxon take offsets from `zones` instead of formatting a date for each of them. */
export function adaptLuxon({ IANAZone, Settings }: typeof Luxon, zones: Zones): void {
  IANAZone.isValidZone = (zone) => zones.isValid(zone);
  IANAZone.prototype.offset = function (this: Luxon.IANAZone, ms) {
    return zones.offset(this.name, ms);
  };
  Settings.defaultLocale = 'en-US';
}

/** The names for dates. `$now` and `$today` are made when they are read: most sources with luxon want one of the two. */
export function defineDates(luxon: typeof Luxon, timezone: string, nowMs: number): void {
  const { DateTime, Duration, Interval, Settings } = luxon;
  Settings.defaultZone = timezone;
  defineAll({ luxon, DateTime, Duration, Interval });
  const now = () => DateTime.fromMillis(nowMs, { zone: timezone });
  Object.defineProperty(globalThis, '$now', { get: now, configurable: true });
  Object.defineProperty(globalThis, '$today', { get: () => now().startOf('day'), configurable: true });
}
