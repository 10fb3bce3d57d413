import type { ZoneOffset } from '../host-zones.ts';
import { askHost } from './host.ts';

/** A time during which a zone keeps its offset. */
interface Span {
  from: number;
  to: number;
  minutes: number;
}

/**
 * Offsets of time zones, requested from the host once per year and zone and cached for the call.
 */
export class Zones {
  /** IANA name of the workflow's zone. */
  timezone = 'UTC';
  readonly #years = new Map<string, ZoneOffset[] | null>();
  /** The last result by zone: dates of one call are often close together. */
  readonly #last = new Map<string, Span>();

  /** Minutes east of UTC; NaN for an unknown zone or an invalid instant. */
  offset(zone: string, ms: number): number {
    const last = this.#last.get(zone);
    if (last && last.from <= ms && ms < last.to) return last.minutes;
    const span = this.#spanAt(zone, ms);
    if (!span) return Number.NaN;
    this.#last.set(zone, span);
    return span.minutes;
  }

  isValid(zone: string): boolean {
    return this.#offsetsOf(zone, 2000) !== null;
  }

  #spanAt(zone: string, ms: number): Span | undefined {
    const year = new Date(ms).getUTCFullYear();
    const offsets = Number.isNaN(year) ? null : this.#offsetsOf(zone, year);
    const index = offsets?.findLastIndex(([from]) => from <= ms) ?? -1;
    const found = offsets?.[index];
    if (!found) return undefined;
    return { from: found[0], to: offsets?.[index + 1]?.[0] ?? Date.UTC(year + 1, 0, 1), minutes: found[1] };
  }

  #offsetsOf(zone: string, year: number): ZoneOffset[] | null {
    const key = `${year} ${zone}`;
    let offsets = this.#years.get(key);
    if (offsets === undefined) {
      offsets = askHost<ZoneOffset[]>({ offsets: { zone, year } });
      this.#years.set(key, offsets);
    }
    return offsets;
  }
}
