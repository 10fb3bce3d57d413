import { type ScheduleRule, TimeSlice } from '@sluice/domain';
import { InvalidScheduleError } from './errors.ts';
import { cronRule, type LocalRule, stepRule } from './local-rule.ts';
import { ZoneClock } from './zone-clock.ts';

/** Instants are milliseconds since the epoch. */
interface TickRange {
  /** When the schedule started. */
  since: number;
  after: number;
}

const hourMs = 3_600_000;
const unitMs = { seconds: 1_000, minutes: 60_000 };

/** Each tick evaluates all rules. */
const maxRules = 100;
/** Later instants have no ISO 8601 text with a four-digit year. */
const lastInstant = Date.UTC(9999, 11, 31);

/**
 * The first instant after `after` at which a rule is due; `undefined` if there is none before the
 * year 10,000. Works in time slices: an author may write 100 rules that are costly. Throws
 * `InvalidScheduleError`, also for more than 100 rules.
 */
export async function nextTick(
  rules: readonly ScheduleRule[],
  zone: string,
  { since, after }: TickRange,
): Promise<number | undefined> {
  const next = compile(rules, zone, since);
  const slice = new TimeSlice();
  let first = Number.POSITIVE_INFINITY;
  for (const nextOf of next) {
    first = Math.min(first, nextOf(after) ?? first);
    if (slice.isOver) await slice.next();
  }
  return first <= lastInstant ? first : undefined;
}

/** The last tick after `from`, up to `until`; `from` if there is none. Works in time slices. */
export async function lastTick(
  rules: readonly ScheduleRule[],
  zone: string,
  { since, from, until }: { since: number; from: number; until: number },
): Promise<number> {
  const slice = new TimeSlice();
  let last = from;
  for (const nextOf of compile(rules, zone, since)) {
    // The first probe skips a rule without a later tick than the previous rules.
    for (let [high, middle] = [until, last]; last < high; middle = Math.floor((last + high) / 2)) {
      const tick = nextOf(middle);
      if (tick !== undefined && tick <= until) last = tick;
      else high = middle; // no tick is after it
      if (slice.isOver) await slice.next();
    }
  }
  return last;
}

/** The next tick of one rule after an instant. */
type NextOf = (after: number) => number | undefined;

function* compile(rules: readonly ScheduleRule[], zone: string, since: number): Generator<NextOf> {
  if (rules.length > maxRules)
    throw new InvalidScheduleError(`a schedule has at most ${maxRules} rules, but this one has ${rules.length}`);
  const clock = new ZoneClock(zone);
  for (const rule of rules) yield nextOf(rule, clock, since);
}

function nextOf(rule: ScheduleRule, clock: ZoneClock, since: number): NextOf {
  if (!('cron' in rule) && (rule.every === 'seconds' || rule.every === 'minutes')) {
    const period = unitMs[rule.every] * rule.count;
    return (after) => onTheClock(period, clock, after);
  }
  const local = 'cron' in rule ? cronRule(rule.cron) : stepRule(rule, clock.localAt(since));
  return (after) => nextLocal(local, clock, after);
}

/** Multiples of the period on the minutes of the local clock; the hour does not matter. */
function onTheClock(period: number, clock: ZoneClock, after: number): number {
  const shift = clock.offsetAt(after) % hourMs;
  return (Math.floor((after + shift) / period) + 1) * period - shift;
}

function nextLocal(rule: LocalRule, clock: ZoneClock, after: number): number | undefined {
  if (rule.hourly) return firstElapsed(rule, clock, after + 1);
  let local = clock.localAt(after);
  for (;;) {
    const next = rule.next(local);
    if (next === undefined) return undefined;
    const instant = clock.instantOf(next);
    if (instant > after) return instant;
    local = next; // the clock shows this time for the second time
  }
}

/** The first time at or after `start`, one stretch of constant offset at a time. */
function firstElapsed(rule: LocalRule, clock: ZoneClock, start: number): number | undefined {
  const offset = clock.offsetAt(start);
  const next = rule.next(start + offset - 1);
  if (next === undefined) return undefined;
  const change = clock.changeBetween(start, next - offset);
  return change === undefined ? next - offset : firstElapsed(rule, clock, change);
}
