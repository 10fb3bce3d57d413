import type { ScheduleRule } from '@sluice/domain';
import { InvalidScheduleError } from './errors.ts';
import { cronRule, type LocalRule, stepRule } from './local-rule.ts';
import { ZoneClock } from './zone-clock.ts';

/** Instants are milliseconds since the epoch. */
export interface TickRange {
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
 * year 10,000. Throws `InvalidScheduleError`, also for more than 100 rules.
 */
export function nextTick(rules: readonly ScheduleRule[], zone: string, { since, after }: TickRange): number | undefined {
  if (rules.length > maxRules)
    throw new InvalidScheduleError(`a schedule has ${maxRules} rules at most, and this one ${rules.length}`);
  const clock = new ZoneClock(zone);
  const ticks = rules.map((rule) => nextOf(rule, clock, { since, after }) ?? Number.POSITIVE_INFINITY);
  const first = Math.min(...ticks);
  return first <= lastInstant ? first : undefined;
}

/** The last tick after `from`, up to `until`; `from` if there is none. */
export function lastTick(
  rules: readonly ScheduleRule[],
  zone: string,
  { since, from, until }: { since: number; from: number; until: number },
): number {
  let [low, high] = [from, until];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const tick = nextTick(rules, zone, { since, after: middle });
    if (tick !== undefined && tick <= until) low = tick;
    else high = middle; // no tick is after it
  }
  return low;
}

function nextOf(rule: ScheduleRule, clock: ZoneClock, { since, after }: TickRange): number | undefined {
  if ('cron' in rule) return nextLocal(cronRule(rule.cron), clock, after);
  if (rule.every === 'seconds' || rule.every === 'minutes') return onTheClock(unitMs[rule.every] * rule.count, clock, after);
  return nextLocal(stepRule(rule, clock.localAt(since)), clock, after);
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
