import type { ScheduleRule } from '@sluice/domain';
import { Cron } from 'croner';
import { InvalidScheduleError } from './errors.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The local times of a rule, in the representation of `ZoneClock`. */
export interface LocalRule {
  /** The first time after `local`; `undefined` if there is none. */
  next(local: number): number | undefined;
  /**
   * Whether the rule follows elapsed time: a skipped hour is not made up for, and a repeated hour
   * counts twice.
   */
  hourly: boolean;
}

type LongRule = Exclude<ScheduleRule, { every: 'seconds' | 'minutes' } | { cron: string }>;

/** A rule's numbered units (hours, days, weeks, months), and the times within each. */
interface Units {
  unitOf(local: number): number;
  /** In order. */
  timesIn(unit: number): number[];
}

/** @param since local time from which steps greater than one are counted. */
export function stepRule(rule: LongRule, since: number): LocalRule {
  const units = unitsOf(rule);
  const first = firstAfter(units, since, () => true, 1);
  const start = units.unitOf(first);
  const counts = (unit: number) => (unit - start) % rule.count === 0;
  return {
    hourly: rule.every === 'hours' && rule.count === 1,
    next: (local) => firstAfter(units, Math.max(local, first - 1), counts, rule.count),
  };
}

/** Two steps always contain a time, because every unit has one. */
function firstAfter(units: Units, local: number, counts: (unit: number) => boolean, step: number): number {
  let unit = units.unitOf(local);
  while (!counts(unit)) unit += 1;
  for (;;) {
    const time = units.timesIn(unit).find((candidate) => candidate > local);
    if (time !== undefined) return time;
    unit += step;
  }
}

function unitsOf(rule: LongRule): Units {
  switch (rule.every) {
    case 'hours':
      return evenUnits(hourMs, 0, [rule.minute * minuteMs]);
    case 'days':
      return evenUnits(dayMs, 0, [timeOfDay(rule)]);
    case 'weeks': {
      // Weeks start on Monday; the epoch was a Thursday.
      const days = [...new Set(rule.weekdays.map((day) => (day + 6) % 7))].sort((a, b) => a - b);
      return evenUnits(
        7 * dayMs,
        4 * dayMs,
        days.map((day) => day * dayMs + timeOfDay(rule)),
      );
    }
    case 'months':
      return { unitOf: monthOf, timesIn: (month) => [dayIn(month, rule.day) + timeOfDay(rule)] };
  }
}

function evenUnits(size: number, begin: number, times: readonly number[]): Units {
  return {
    unitOf: (local) => Math.floor((local - begin) / size),
    timesIn: (unit) => times.map((time) => unit * size + begin + time),
  };
}

function timeOfDay({ hour, minute }: { hour: number; minute: number }): number {
  return hour * hourMs + minute * minuteMs;
}

function monthOf(local: number): number {
  const date = new Date(local);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

function dayIn(month: number, day: number): number {
  const [year, index] = [Math.floor(month / 12), month % 12];
  const lastDay = new Date(Date.UTC(year, index + 1, 0)).getUTCDate();
  return Date.UTC(year, index, Math.min(day, lastDay));
}

const maxCronLength = 250;

/**
 * The library treats local times as UTC; time zones are handled here. Throws
 * `InvalidScheduleError`.
 */
export function cronRule(expression: string): LocalRule {
  const cron = parse(expression);
  const fields = expression.trim().split(/\s+/);
  const hours = fields.length === 1 ? (expression.trim() === '@hourly' ? '*' : '0') : fields[fields.length === 5 ? 1 : 2];
  return {
    hourly: hours !== undefined && /^(\*|0-23|[*0]?\/1)$/.test(hours),
    next: (local) => cron.nextRun(new Date(local))?.getTime(),
  };
}

function parse(expression: string): Cron {
  const quoted = JSON.stringify(expression.slice(0, maxCronLength));
  if (expression.length > maxCronLength) throw new InvalidScheduleError(`the cron expression ${quoted}… is too long`);
  const refusal = (why: string, options?: { cause: unknown }) =>
    new InvalidScheduleError(`the cron expression ${quoted} cannot be read: ${why}`, options);
  const read = (text: string) => new Cron(text, { timezone: 'UTC', paused: true, sloppyRanges: true }); // accepts `0/15`, too
  let cron: Cron;
  try {
    cron = read(expression.trim());
    // The library does not check the start of `60/15`, and would search for its times for seconds.
    read(expression.trim().replace(/(?<=\d)\/\d+/g, ''));
  } catch (cause) {
    throw refusal(cause instanceof Error ? cause.message.replace(/^CronPattern: /, '') : '', { cause });
  }
  // The library also accepts a date, at which it is due once; a schedule repeats.
  if (cron.getPattern() === undefined) throw refusal('it is a date, and a schedule repeats');
  return cron;
}
