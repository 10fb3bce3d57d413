import { InvalidScheduleError } from './errors.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * The clock of a time zone. Local times are also milliseconds: `Date.UTC` of the displayed date and
 * time, so that they support arithmetic.
 */
export class ZoneClock {
  readonly #format: Intl.DateTimeFormat;

  /** Throws `InvalidScheduleError` for an unknown time zone. */
  constructor(zone: string) {
    try {
      this.#format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
    } catch (cause) {
      throw new InvalidScheduleError(`unknown time zone ${JSON.stringify(zone.slice(0, 100))}`, { cause });
    }
  }

  /** Milliseconds that the clock is ahead of UTC. */
  offsetAt(instant: number): number {
    const match = /GMT([+-])(\d+):(\d+)(?::(\d+))?$/.exec(this.#format.format(instant));
    const [, sign, hours = '0', minutes = '0', seconds = '0'] = match ?? [];
    const size = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
    return sign === '-' ? -size : size;
  }

  localAt(instant: number): number {
    return instant + this.offsetAt(instant);
  }

  /**
   * The first instant at which the clock shows `local` or later: the end of the gap if the time is
   * skipped, the first occurrence if it is repeated. Never decreases as `local` increases.
   */
  instantOf(local: number): number {
    const offsets = [this.offsetAt(local - dayMs), this.offsetAt(local + dayMs)];
    const early = local - Math.max(...offsets);
    const late = local - Math.min(...offsets);
    if (this.localAt(early) === local) return early;
    if (this.localAt(late) === local) return late;
    return this.#change(early, late);
  }

  /**
   * The first instant after `from`, up to `to`, at which the offset differs from the offset at
   * `from`; `undefined` if it is unchanged at `to`.
   */
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
