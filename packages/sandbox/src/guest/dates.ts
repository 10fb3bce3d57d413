import type * as Luxon from 'luxon';
import { defineLazily } from './define.ts';
import { speedUpLuxon } from './luxon-speed.ts';
import { need } from './needs.ts';
import type { Zones } from './zones.ts';

let library: typeof Luxon | undefined;
let zone = 'UTC';
let instant = 0;
let current: Luxon.DateTime | undefined;

/** Makes luxon the guest's, taking offsets from `zones` instead of formatting a date for each of them. */
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

/** luxon; asks for the image that has it where this one has not. */
export function luxon(): typeof Luxon {
  return library ?? need({ image: 'luxon' });
}

/** What `$now` means. */
export function now(): Luxon.DateTime {
  current ??= luxon().DateTime.fromMillis(instant, { zone });
  return current;
}

export function isDateTime(value: unknown): value is Luxon.DateTime {
  return library?.DateTime.isDateTime(value) ?? false;
}

/** The names for dates, made when they are read. */
export function defineDates(timezone: string, nowMs: number): void {
  zone = timezone;
  instant = nowMs;
  if (library) library.Settings.defaultZone = timezone;
  defineLazily({
    luxon,
    DateTime: () => luxon().DateTime,
    Duration: () => luxon().Duration,
    Interval: () => luxon().Interval,
    $now: now,
    $today: () => now().startOf('day'),
  });
}
