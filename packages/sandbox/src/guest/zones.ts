import type { ZoneOffset, ZoneQuery } from '../host/host-zones.ts';

/** A period during which a zone keeps its offset. */
interface Span {
  from: number;
  to: number;
  minutes: number;
}

/** The offsets of a year; null for an unknown zone. */
type ReadOffsets = (query: ZoneQuery) => ZoneOffset[] | null;

/** Offsets of time zones at any time. */
export class Zones {
  /** IANA name of the workflow's zone. */
  timezone = 'UTC';
  readonly #read: ReadOffsets;
  /** The last result by zone, because a call's dates are often close together. */
  readonly #last = new Map<string, Span>();

  constructor(read: ReadOffsets) {
    this.#read = read;
  }

  /** Minutes east of UTC; NaN for an unknown zone or an invalid time. */
  offset(zone: string, ms: number): number {
    const last = this.#last.get(zone);
    if (last && last.from <= ms && ms < last.to) return last.minutes;
    const span = this.#spanAt(zone, ms);
    if (!span) return Number.NaN;
    this.#last.set(zone, span);
    return span.minutes;
  }

  isValid(zone: string): boolean {
    return this.#read({ zone, year: 2000 }) !== null;
  }

  #spanAt(zone: string, ms: number): Span | undefined {
    const year = new Date(ms).getUTCFullYear();
    const offsets = Number.isNaN(year) ? null : this.#read({ zone, year });
    const index = offsets?.findLastIndex(([from]) => from <= ms) ?? -1;
    const offset = offsets?.[index];
    if (!offset) return undefined;
    // Not `Date.UTC`, which reads the years 0 to 99 as 1900 to 1999.
    const endOfYear = new Date(0).setUTCFullYear(year + 1, 0, 1);
    return { from: offset[0], to: offsets?.[index + 1]?.[0] ?? endOfYear, minutes: offset[1] };
  }
}

/** Reads each year of a zone once. */
export function readOnce(read: ReadOffsets): ReadOffsets {
  const years = new Map<string, ZoneOffset[] | null>();
  return (query) => {
    const key = `${query.year} ${query.zone}`;
    let offsets = years.get(key);
    if (offsets === undefined) {
      offsets = read(query);
      years.set(key, offsets);
    }
    return offsets;
  };
}
