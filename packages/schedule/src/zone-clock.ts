import { InvalidScheduleError } from './errors.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * The clock of a time zone. Local times are milliseconds as well: what `Date.UTC` makes of the figures that the clock shows, so that they can be
 * calculated with.
 */
export class ZoneClock {
  readonly #format: Intl.DateTimeFormat;

  /** Throws `InvalidScheduleError` for a zone that does not exist. */
  constructor(zone: string) {
    try {
      this.#format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
    } catch (cause) {
      throw new InvalidScheduleError(`there is no time zone ${JSON.stringify(zone.slice(0, 100))}`, { cause });
    }
  }

  /** How far the clock is ahead of UTC. */
  offsetAt(instant: number): number {
    const shown = /GMT([+-])(\d+):(\d+)(?::(\d+))?$/.exec(this.#format.format(instant));
    const [, sign, hours = '0', minutes = '0', seconds = '0'] = shown ?? [];
    const size = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
    return sign === '-' ? -size : size;
  }

  localAt(instant: number): number {
    return instant + this.offsetAt(instant);
  }

  /**
   * The first instant at which the clock shows `local` or later: where it leaves that time out, the end of the gap; where it shows it twice, the first
   * time. It never falls as `local` rises.
   */
  instantOf(local: number): number {
    const offsets = [this.offsetAt(local - dayMs), this.offsetAt(local + dayMs)];
    const early = local - Math.max(...offsets);
    const late = local - Math.min(...offsets);
    if (this.localAt(early) === local) return early;
    if (this.localAt(late) === local) return late;
    return this.#change(early, late);
  }

  /** The first instant after `from`, up to `to`, at which the offset is not that of `from`; `undefined`: it is the same at `to`. */
  changeBetween(from: number, to: number): number | undefined {
    return this.offsetAt(from) === this.offsetAt(to) ? undefined : this.#change(from, to);
  }

  #change(from: number, to: number): number {
    const before = this.offsetAt(from);
    let [low, high] = [from, to];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.offsetAt(middle) === before) low = middle;
      else high = middle;
    }
    return high;
  }
}
