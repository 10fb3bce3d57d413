import { BeyondHost } from '@sluice/expressions';
import { DateTime, type DateTimeUnit, IANAZone } from 'luxon';
import QuickLRU from 'quick-lru';
import { Zones } from '../guest/zones.ts';
import { cached } from '../host/cached.ts';
import { offsetsOfYear } from '../host/host-zones.ts';

/*
 * The date expressions that the host evaluates: common luxon calls on valid dates in English, with
 * the same library and zone offsets as in the guest. In all other cases they throw `BeyondHost`,
 * and the guest evaluates.
 */

/**
 * A date within an expression. It is not a JSON value: outside a call, only its text leaves the
 * expression.
 */
export class HostDate {
  readonly #date: DateTime;

  constructor(date: DateTime) {
    const isUsual = date.isValid && date.year >= 100 && date.year <= 9_999;
    if (!isUsual) throw BeyondHost.instance;
    this.#date = date;
  }

  static get(date: HostDate): DateTime {
    return date.#date;
  }
}

type Values = readonly unknown[];

const locale = 'en-US';
/** Longer strings are not ISO dates. */
const maxIsoLength = 40;
const maxFormatLength = 100;
/** Maximum amount of any unit in one addition. The resulting date is checked as well. */
const maxAmount = 1e15;

const units = 'year quarter month week day hour minute second millisecond'.split(' ');
const unitNames = new Set(units.flatMap((unit) => [unit, `${unit}s`]));
/** Format tokens that luxon writes without `Intl` in English. */
const formatTokens = new Set(
  'S SSS s ss m mm h hh H HH d dd c ccc cccc E EEE EEEE L LL LLL LLLL M MM MMM MMMM y yy yyyy a o ooo W WW q qq Z ZZ ZZZ x X'.split(
    ' ',
  ),
);
const formatPieces = /'[^']*'|([A-Za-z])\1*|[^A-Za-z']+/y;

const fields = [
  'year',
  'quarter',
  'month',
  'day',
  'hour',
  'minute',
  'second',
  'millisecond',
  'weekday',
  'weekNumber',
  'ordinal',
] as const;
export type DateField = (typeof fields)[number];

const methods = new Map<string, (date: DateTime, values: Values) => unknown>([
  ['plus', (date, values) => new HostDate(date.plus(durationOf(values)))],
  ['minus', (date, values) => new HostDate(date.minus(durationOf(values)))],
  ['startOf', (date, values) => new HostDate(date.startOf(unitOf(values)))],
  ['endOf', (date, values) => new HostDate(date.endOf(unitOf(values)))],
  ['setZone', (date, values) => new HostDate(date.setZone(zoneOf(only(values))))],
  ['toFormat', (date, values) => date.toFormat(formatOf(values))],
  ['format', (date, values) => date.toFormat(formatOf(values))],
  ['toISO', (date, values) => none(values, date.toISO())],
  ['toISODate', (date, values) => none(values, date.toISODate())],
  ['toISOTime', (date, values) => none(values, date.toISOTime())],
  ['toMillis', (date, values) => none(values, date.toMillis())],
  ['toSeconds', (date, values) => none(values, date.toSeconds())],
  ['toUnixInteger', (date, values) => none(values, date.toUnixInteger())],
  ['toString', (date, values) => none(values, date.toString())],
]);
/** The string method that returns a date. */
const textMethod = 'toDateTime';

const functions = new Map<string, (values: Values, zone: string) => HostDate>([
  ['DateTime.now', (values, zone) => none(values, dateAt(Date.now(), zone))],
  ['DateTime.fromMillis', (values, zone) => dateAt(only(values), zone)],
  ['DateTime.fromISO', (values, zone) => dateOfText(only(values), zone, false)],
]);

export const dateMethodNames: ReadonlySet<string> = new Set([...methods.keys(), textMethod]);
export const dateFunctionNames: ReadonlySet<string> = new Set(functions.keys());

export function isDateField(key: unknown): key is DateField {
  return fields.some((field) => field === key);
}

/** Whether a string method returns a date. */
export function makesDate(name: string): boolean {
  return name === textMethod;
}

/** The date in `zone` at `ms` milliseconds since the epoch. */
export function dateAt(ms: unknown, zone: string): HostDate {
  if (typeof ms !== 'number') throw BeyondHost.instance;
  return new HostDate(DateTime.fromMillis(ms, { zone: zoneOf(zone), locale }));
}

/** Calls one of `dateFunctionNames`. `zone`: the workflow's. */
export function callDateFunction(name: string, values: Values, zone: string): unknown {
  return functions.get(name)?.(values, zone);
}

/** Calls one of `dateMethodNames` on a date, or on a string to convert it to a date. */
export function callDateMethod(name: string, receiver: unknown, values: Values, zone: string): unknown {
  if (receiver instanceof HostDate) {
    const method = methods.get(name);
    if (!method) throw BeyondHost.instance;
    return method(HostDate.get(receiver), values);
  }
  if (name !== textMethod) throw BeyondHost.instance;
  return none(values, dateOfText(typeof receiver === 'string' ? receiver.trim() : receiver, zone, true));
}

/** A field of a date. */
export function dateField(date: unknown, field: DateField): number {
  if (!(date instanceof HostDate)) throw BeyondHost.instance;
  return HostDate.get(date)[field];
}

/** The text of a date in JSON and within text. */
export function dateText(date: HostDate): string | null {
  return HostDate.get(date).toISO();
}

function dateOfText(text: unknown, zone: string, setZone: boolean): HostDate {
  if (typeof text !== 'string' || text.length > maxIsoLength) throw BeyondHost.instance;
  return new HostDate(DateTime.fromISO(text, { zone: zoneOf(zone), setZone, locale }));
}

const zones = new QuickLRU<string, IANAZone | 'utc'>({ maxSize: 100 });

/** A zone whose offsets are looked up, because luxon would format a date for each. */
class LookedUpZone extends IANAZone {
  // One cache per zone, so that it is evicted with the zone: authors choose the names.
  readonly #zones = new Zones(offsetsOfYear);

  override offset(ms: number): number {
    return this.#zones.offset(this.name, ms);
  }
}

/** Names such as Europe/Berlin, and UTC. */
function zoneOf(name: unknown): IANAZone | 'utc' {
  if (name === 'UTC') return 'utc';
  if (typeof name !== 'string' || !name.includes('/')) throw BeyondHost.instance;
  return cached(zones, name, () => {
    const zone = new LookedUpZone(name);
    if (!zone.isValid) throw BeyondHost.instance;
    return zone;
  });
}

/** `{ days: 1 }`, or an amount and its unit. */
function durationOf(values: Values): Record<string, number> {
  const [amount, unit] = values;
  const duration = values.length === 2 ? { [String(unit)]: amount } : only(values);
  if (typeof duration !== 'object' || duration === null || Array.isArray(duration)) throw BeyondHost.instance;
  for (const [name, value] of Object.entries(duration)) {
    const isUsual = unitNames.has(name) && Number.isSafeInteger(value) && Math.abs(value) < maxAmount;
    if (!isUsual) throw BeyondHost.instance;
  }
  return duration as Record<string, number>;
}

function unitOf(values: Values): DateTimeUnit {
  const unit = only(values);
  if (typeof unit !== 'string' || !unitNames.has(unit)) throw BeyondHost.instance;
  return unit as DateTimeUnit;
}

function formatOf(values: Values): string {
  const format = only(values);
  if (typeof format !== 'string' || format.length > maxFormatLength) throw BeyondHost.instance;
  formatPieces.lastIndex = 0;
  while (formatPieces.lastIndex < format.length) {
    const [piece, letter] = formatPieces.exec(format) ?? [];
    if (piece === undefined || (letter !== undefined && !formatTokens.has(piece))) throw BeyondHost.instance;
  }
  return format;
}

function only(values: Values): unknown {
  if (values.length !== 1) throw BeyondHost.instance;
  return values[0];
}

/** A result for a call without arguments. */
function none<Result>(values: Values, result: Result): Result {
  if (values.length > 0) throw BeyondHost.instance;
  return result;
}
