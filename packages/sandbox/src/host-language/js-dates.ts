import { BeyondHost } from '@sluice/expressions';
import { callDateMethod, dateAt, dateText, HostDate } from './host-dates.ts';

/*
 * JavaScript's own dates in the host. The guest's zone is UTC, so the fields of a date are those in
 * UTC. Other text than ISO 8601 with an offset goes to the guest, as do local formats.
 */

/** The years 100 to 9999, as for `HostDate`. */
const [minMs, maxMs] = [Date.UTC(100, 0), Date.UTC(10_000, 0) - 1];
const iso = /^(\d{4}-\d{2}-\d{2})(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,3})?)?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d))?$/;

/** A `Date` within an expression. Like a `HostDate`, only its text leaves the expression. */
export class HostJsDate {
  readonly #date: Date;

  constructor(ms: number) {
    if (!(ms >= minMs && ms <= maxMs)) throw BeyondHost.instance;
    this.#date = new Date(ms);
  }

  static get(date: HostJsDate): Date {
    return date.#date;
  }
}

type AnyHostDate = HostDate | HostJsDate;

export function isHostDate(value: unknown): value is AnyHostDate {
  return value instanceof HostDate || value instanceof HostJsDate;
}

/** The text of a date in JSON and within text. */
export function textOfDate(date: AnyHostDate): string | null {
  return date instanceof HostDate ? dateText(date) : HostJsDate.get(date).toISOString();
}

/** `new Date(…)`. */
export function newDate(values: readonly unknown[]): HostJsDate {
  const [value, ...more] = values;
  if (more.length > 0) throw BeyondHost.instance;
  return new HostJsDate(values.length === 0 ? Date.now() : msOf(value));
}

function msOf(value: unknown): number {
  if (typeof value === 'number') return value;
  if (value instanceof HostJsDate) return HostJsDate.get(value).getTime();
  if (value instanceof HostDate) return HostDate.get(value).toMillis();
  const [text, day] = (typeof value === 'string' && iso.exec(value)) || [];
  const exists = day !== undefined && new Date(day).toJSON()?.startsWith(day);
  if (text === undefined || !exists) throw BeyondHost.instance;
  return Date.parse(text);
}

const methods = new Map<string, (date: Date) => number | string>([
  ['toISOString', (date) => date.toISOString()],
  ['toJSON', (date) => date.toISOString()],
  ['getTime', (date) => date.getTime()],
  ['valueOf', (date) => date.getTime()],
  ...(['FullYear', 'Month', 'Date', 'Day', 'Hours', 'Minutes', 'Seconds', 'Milliseconds'] as const).flatMap((field) => {
    const read = (date: Date) => date[`getUTC${field}`]();
    return [[`get${field}`, read] as const, [`getUTC${field}`, read] as const];
  }),
]);

export const jsDateMethodNames: ReadonlySet<string> = new Set(methods.keys());

/** Calls a method of a date. `zone`: the workflow's, for `format`. */
export function callJsDateMethod(name: string, receiver: HostJsDate, values: readonly unknown[], zone: string): unknown {
  const date = HostJsDate.get(receiver);
  if (name === 'format') return callDateMethod(name, dateAt(date.getTime(), zone), values, zone);
  const method = methods.get(name);
  if (!method || values.length > 0) throw BeyondHost.instance;
  return method(date);
}
