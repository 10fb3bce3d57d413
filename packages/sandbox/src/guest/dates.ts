import type * as Luxon from 'luxon';
import { defineLazily } from './define.ts';
import { speedUpLuxon } from './luxon-speed.ts';
import { need } from './needs.ts';
import type { Zones } from './zones.ts';

let library: typeof Luxon | undefined;
let zone = 'UTC';
let instant = 0;
let current: Luxon.DateTime | undefined;

/** Installs luxon, with offsets from `zones` instead of formatting a date for each offset. */
export function useLuxon(loaded: typeof Luxon, zones: Zones): void {
  const { IANAZone, Settings } = loaded;
  IANAZone.isValidZone = (name) => zones.isValid(name);
  IANAZone.prototype.offset = function (this: Luxon.IANAZone, ms) {
    return zones.offset(this.name, ms);
  };
  Settings.defaultLocale = 'en-US';
  speedUpLuxon(loaded);
  library = loaded;
}

/** Returns luxon. Requests the image that contains it if this image does not. */
export function luxon(): typeof Luxon {
  return library ?? need({ image: 'luxon' });
}

/** The value of `$now`. */
export function now(): Luxon.DateTime {
  current ??= luxon().DateTime.fromMillis(instant, { zone });
  return current;
}

export function isDateTime(value: unknown): value is Luxon.DateTime {
  return library?.DateTime.isDateTime(value) ?? false;
}

/** Sets the time zone and the time of `$now`. */
export function setClock(timezone: string, nowMs: number): void {
  zone = timezone;
  instant = nowMs;
  if (library) library.Settings.defaultZone = timezone;
}

/** Defines the date names, evaluated on read. */
export function defineDates(): void {
  defineLazily({
    luxon,
    DateTime: () => luxon().DateTime,
    Duration: () => luxon().Duration,
    Interval: () => luxon().Interval,
    $now: now,
    $today: () => now().startOf('day'),
  });
}
