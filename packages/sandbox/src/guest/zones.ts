import type { FormatQuery, FormattedDate, HostZonesQuery, ZoneOffset } from '../host-zones.ts';
import { parse, stringify } from './json.ts';

type AskHost = (request: string) => string;

/** Offsets and texts of dates, asked from the host once and remembered for the call. */
export class Zones {
  /** IANA name of the workflow's zone. */
  timezone = 'UTC';
  readonly #ask: AskHost;
  readonly #years = new Map<string, ZoneOffset[] | null>();

  constructor(ask: AskHost) {
    this.#ask = ask;
  }

  /** Minutes east of UTC; NaN for an unknown zone or an invalid instant. */
  offset(zone: string, ms: number): number {
    const year = new Date(ms).getUTCFullYear();
    const offsets = Number.isNaN(year) ? null : this.#offsetsOf(zone, year);
    if (!offsets) return Number.NaN;
    let minutes = Number.NaN;
    for (const [fromMs, offsetMinutes] of offsets) if (fromMs <= ms) minutes = offsetMinutes;
    return minutes;
  }

  isValid(zone: string): boolean {
    return this.#offsetsOf(zone, 2000) !== null;
  }

  /** Throws a RangeError for locales and options that the host refuses. */
  format(query: FormatQuery): FormattedDate {
    const formatted = this.#query<FormattedDate>({ format: query });
    if (!formatted) throw new RangeError('invalid locale, option or date');
    return formatted;
  }

  #offsetsOf(zone: string, year: number): ZoneOffset[] | null {
    const key = `${year} ${zone}`;
    let offsets = this.#years.get(key);
    if (offsets === undefined) {
      offsets = this.#query<ZoneOffset[]>({ offsets: { zone, year } });
      this.#years.set(key, offsets);
    }
    return offsets;
  }

  #query<T>(query: HostZonesQuery): T | null {
    return parse(this.#ask(stringify(query)));
  }
}
