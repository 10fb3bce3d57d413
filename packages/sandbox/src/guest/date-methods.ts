import type { DateTime, DateTimeUnit, DurationLike, DurationUnit } from 'luxon';
import { asDateTime } from './date-conversion.ts';
import { isDateTime, now } from './dates.ts';
import { ExpressionFailure } from './failures.ts';
import type { MethodTable } from './method-table.ts';

/** A luxon date or a `Date`. Methods that return a date return the same type. */
type AnyDate = DateTime | Date;

export const dateMethods: MethodTable<AnyDate> = {
  beginningOf: (date, unit: DateTimeUnit = 'week') => like(date, asDateTime(date).startOf(unit)),
  diffTo: (date, other: unknown, unit?: DurationUnit | DurationUnit[]) => difference(asDateTime(other), asDateTime(date), unit),
  diffToNow: (date, unit?: DurationUnit | DurationUnit[]) => difference(asDateTime(date), now(), unit),
  endOfMonth: (date) => like(date, asDateTime(date).endOf('month')),
  extract,
  format: (date, format: string) => asDateTime(date).toFormat(format),
  isBetween: (date, from: unknown, to: unknown) => {
    if (from === undefined || to === undefined) throw new ExpressionFailure('isBetween() takes two dates');
    const moment = asDateTime(date);
    return asDateTime(from) < moment && moment < asDateTime(to);
  },
  isDst: (date) => asDateTime(date).isInDST,
  isEmpty: () => false,
  isInLast: (date, count = 0, unit: DurationUnit = 'minutes') => {
    const moment = asDateTime(date);
    return now().minus({ [unit]: count }) <= moment && moment <= now();
  },
  isNotEmpty: () => true,
  isWeekend: (date) => asDateTime(date).weekday > 5,
  minus: (date, amount: DurationLike, unit?: DurationUnit) => like(date, shifted(asDateTime(date), 'minus', amount, unit)),
  plus: (date, amount: DurationLike, unit?: DurationUnit) => like(date, shifted(asDateTime(date), 'plus', amount, unit)),
  toDateTime: (date) => asDateTime(date),
};

function like(original: AnyDate, date: DateTime): AnyDate {
  return isDateTime(original) ? date : date.toJSDate();
}

function shifted(date: DateTime, method: 'plus' | 'minus', amount: DurationLike, unit: DurationUnit | undefined): DateTime {
  return date[method](unit === undefined ? amount : { [unit]: Number(amount) });
}

const units = /^(?:milliseconds?|seconds?|minutes?|hours?|days?|weeks?|months?|quarters?|years?)$/i;

/** The difference to a later date: a number for one unit, an object for several. */
function difference(from: DateTime, to: DateTime, unit: DurationUnit | DurationUnit[] = 'days'): number | object {
  const unknown = [unit].flat().find((name) => !units.test(name));
  if (unknown !== undefined) throw new ExpressionFailure(`"${unknown}" is not a unit of time`);
  return Array.isArray(unit) ? to.diff(from, unit).toObject() : to.diff(from, unit).as(unit);
}

function extract(date: AnyDate, part = 'week'): number {
  const moment = asDateTime(date);
  if (part === 'week') return moment.weekNumber;
  if (part === 'yearDayNumber') return moment.ordinal;
  const unit = /^(?:year|month|day|hour|minute|second|millisecond)s$/.test(part) ? part.slice(0, -1) : part;
  return moment.get(unit as keyof DateTime);
}
