import type { JsonObject } from '@sluice/node-sdk';
import { choice, choices, localTime, text, where } from '@sluice/nodes-base/node-tools';
import type { ServiceItem } from '../../shared/service-item.ts';

const custom = where({ dateRange: ['custom'] });

export const dateProperties = [
  choice(
    'dateRange',
    'Date Range',
    choices(
      ['last7days', 'Last 7 Days'],
      ['last30days', 'Last 30 Days'],
      ['today', 'Today'],
      ['yesterday', 'Yesterday'],
      ['lastCalendarWeek', 'Last Complete Calendar Week', 'Monday to Sunday'],
      ['lastCalendarMonth', 'Last Complete Calendar Month'],
      ['custom', 'Custom'],
    ),
    { description: 'Days of the report; those until today are in the time zone of the property' },
  ),
  text('startDate', 'Start', 'First day', { required: true, ...custom }),
  text('endDate', 'End', 'Last day', { required: true, ...custom }),
];

/** Relative days of the API, which are in the time zone of the property. */
const relative: ReadonlyMap<string, readonly [startDate: string, endDate: string]> = new Map([
  ['last7days', ['7daysAgo', 'today']],
  ['last30days', ['30daysAgo', 'today']],
  ['today', ['today', 'today']],
  ['yesterday', ['yesterday', 'yesterday']],
]);

const dayMs = 86_400_000;
const daysPerWeek = 7;

/** The API's date range. `now`: milliseconds since 1970. */
export function dateRangeOf(item: ServiceItem, now = Date.now()): JsonObject {
  const range = item.text('dateRange', 'last7days') || 'last7days';
  if (range === 'custom') return { startDate: dayOf(item, 'startDate'), endDate: dayOf(item, 'endDate') };
  const [startDate, endDate] = relative.get(range) ?? calendarRange(item, range, now);
  return { startDate, endDate };
}

/** A week or month of the calendar in the workflow's time zone, as UTC days. */
function calendarRange(item: ServiceItem, range: string, now: number): readonly [string, string] {
  const today = new Date(`${localTime(now, item.context.workflow.timezone)?.date}T00:00:00Z`);
  if (range === 'lastCalendarWeek') {
    const monday = today.getTime() - ((today.getUTCDay() + daysPerWeek - 1) % daysPerWeek) * dayMs;
    return [isoDay(monday - daysPerWeek * dayMs), isoDay(monday - dayMs)];
  }
  if (range !== 'lastCalendarMonth')
    throw item.error(`the date range ${JSON.stringify(range.slice(0, 50))} does not exist`, 'Choose one from the list');
  const [year, month] = [today.getUTCFullYear(), today.getUTCMonth()];
  return [isoDay(Date.UTC(year, month - 1, 1)), isoDay(Date.UTC(year, month, 0))];
}

const isoDay = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Relative days, such as `14daysAgo`, are part of the API. */
function dayOf(item: ServiceItem, name: string): string {
  const date = item.required(name).trim();
  if (/^(today|yesterday|\d{1,5}daysAgo)$/.test(date)) return date;
  const day = localTime(date.slice(0, 100), item.context.workflow.timezone)?.date;
  if (day !== undefined) return day;
  throw item.error(`the parameter "${name}" is not a date`, 'Set it to a date such as 2026-01-31');
}
