import { type ExecuteContext, type Item, type JsonObject, type JsonValue, NodeOperationError } from '@sluice/node-sdk';
import { DateTime, type DurationUnit } from 'luxon';
import { stringOf } from '../../shared/coerced-text.ts';
import { setOwn } from '../../shared/field-path.ts';
import {
  booleanParameter,
  choiceParameter,
  namesParameter,
  numberParameter,
  textParameter,
  wrongParameter,
} from '../../shared/parameters.ts';
import { calculatedDate, checkedZone, locale, readDate, readInLuxonFormat, readZonedDate } from './read-date.ts';
import { timeUnits } from './time-units.ts';

const operations = {
  getCurrentDate: { output: 'currentDate', run: currentDate },
  addToDate: { output: 'newDate', run: (context: ExecuteContext, itemIndex: number) => moved(context, itemIndex, 1) },
  subtractFromDate: { output: 'newDate', run: (context: ExecuteContext, itemIndex: number) => moved(context, itemIndex, -1) },
  formatDate: { output: 'formattedDate', run: formatted },
  roundDate: { output: 'roundedDate', run: rounded },
  getTimeBetweenDates: { output: 'timeDifference', run: timeBetween },
  extractDate: { output: 'datePart', run: extracted },
};

const operationNames = [
  'getCurrentDate',
  'addToDate',
  'subtractFromDate',
  'formatDate',
  'roundDate',
  'getTimeBetweenDates',
  'extractDate',
] as const satisfies readonly (keyof typeof operations)[];

/**
 * Version 2: dates with luxon. A date from an expression keeps its time zone. Text without a time
 * zone is UTC; its results are in the workflow's time zone. Formatted dates, however, keep an
 * offset east of Greenwich, and are in UTC otherwise. The output item contains only the result,
 * unless the input fields are included.
 */
export function dateTime2(context: ExecuteContext, item: Item, itemIndex: number): Item {
  const { output, run } = operations[choiceParameter(context, 'operation', itemIndex, operationNames, 'getCurrentDate')];
  const keeps = booleanParameter(context, 'options.includeInputFields', itemIndex, false);
  const json: JsonObject = keeps ? { ...item.json } : {};
  setOwn(json, textParameter(context, 'outputFieldName', itemIndex, output), run(context, itemIndex));
  const result: Item = { json, pairedItem: { item: itemIndex } };
  if (keeps && item.binary) result.binary = item.binary;
  return result;
}

/**
 * A date from an expression keeps its time zone. Null and empty text are the epoch, as workflows of
 * the de-facto format expect.
 */
function dateParameter(context: ExecuteContext, name: string, itemIndex: number): DateTime {
  const { timezone: zone } = context.workflow;
  const value = context.parameter<JsonValue>(name, itemIndex);
  const zoned = readZonedDate(value);
  if (zoned) return zoned;
  const milliseconds = value === null || value === '' ? 0 : readDate(value, 'UTC', `the parameter "${name}"`, itemIndex);
  return DateTime.fromMillis(milliseconds, { zone, ...locale });
}

function currentDate(context: ExecuteContext, itemIndex: number): JsonValue {
  const zone = textParameter(context, 'options.timezone', itemIndex).trim() || context.workflow.timezone;
  const now = DateTime.now().setZone(checkedZone(zone, 'options.timezone', itemIndex));
  return (booleanParameter(context, 'includeTime', itemIndex, true) ? now : now.startOf('day')).toISO();
}

function moved(context: ExecuteContext, itemIndex: number, sign: 1 | -1): JsonValue {
  const unit = choiceParameter(context, 'timeUnit', itemIndex, [...timeUnits, 'milliseconds'], 'days');
  const amount = sign * numberParameter(context, 'duration', itemIndex, 0);
  const date = dateParameter(context, 'magnitude', itemIndex).plus({ [unit]: amount });
  return calculatedDate(date.toISO(), itemIndex);
}

function formatted(context: ExecuteContext, itemIndex: number): JsonValue {
  const value = context.parameter<JsonValue>('date', itemIndex);
  if (value === null) return null;
  const chosen = textParameter(context, 'format', itemIndex, 'MM/dd/yyyy');
  const format = chosen === 'custom' ? textParameter(context, 'customFormat', itemIndex) : chosen;
  const zoned = readZonedDate(value);
  if (zoned) return zoned.toFormat(format);
  const zone = context.workflow.timezone;
  const fromFormat = textParameter(context, 'options.fromFormat', itemIndex).trim();
  const date = fromFormat ? readInLuxonFormat(value, fromFormat, zone, itemIndex) : dateParameter(context, 'date', itemIndex);
  const inWorkflowZone = booleanParameter(context, 'options.timezone', itemIndex, false);
  return date.setZone(inWorkflowZone ? zone : ownZone(value)).toFormat(format, locale);
}

/** The time zone of text with an offset east of Greenwich; UTC for all other dates. */
function ownZone(value: JsonValue): string {
  const [, hours = '', minutes = '00'] = /:\d\d(?:\.\d+)?\s*(?:GMT)?\+(\d\d):?(\d\d)?(?:\s*\(|$)/.exec(stringOf(value)) ?? [];
  if (Number(hours) === 0 && Number(minutes) === 0) return 'Etc/UTC';
  return minutes === '00' && Number(hours) <= 14 ? `Etc/GMT-${Number(hours)}` : `UTC+${Number(hours)}:${minutes}`;
}

const roundTo = ['year', 'month', 'week', 'day', 'hour', 'minute', 'second'] as const;

/**
 * Rounding up goes to the start of the next unit, even if the date is already the start of a unit.
 */
function rounded(context: ExecuteContext, itemIndex: number): JsonValue {
  const date = dateParameter(context, 'date', itemIndex);
  if (choiceParameter(context, 'mode', itemIndex, ['roundDown', 'roundUp'], 'roundDown') === 'roundDown') {
    return date.startOf(choiceParameter(context, 'toNearest', itemIndex, roundTo, 'month')).toISO();
  }
  const unit = choiceParameter(context, 'to', itemIndex, roundTo, 'month');
  const next = date.plus({ [unit]: 1 }).startOf(unit);
  return calculatedDate(next.toISO(), itemIndex);
}

const differenceUnits = ['year', 'month', 'week', 'day', 'hour', 'minute', 'second', 'millisecond'] as const;

function timeBetween(context: ExecuteContext, itemIndex: number): JsonValue {
  const start = dateParameter(context, 'startDate', itemIndex);
  const end = dateParameter(context, 'endDate', itemIndex);
  const difference = end.diff(start, readUnits(context, itemIndex));
  if (booleanParameter(context, 'options.isoString', itemIndex, false)) return difference.toISO();
  return Object.fromEntries(Object.entries(difference.toObject()).map(([unit, amount]) => [unit, amount ?? 0]));
}

function readUnits(context: ExecuteContext, itemIndex: number): DurationUnit[] {
  const isChosen = (context.parameter<JsonValue>('units', itemIndex) ?? null) !== null;
  const names = isChosen ? namesParameter(context, 'units', itemIndex) : ['day'];
  if (names.length === 0) throw wrongParameter('units', 'a list of units', [], itemIndex);
  return names.map((name) => {
    const unit = differenceUnits.find((candidate) => candidate === name);
    if (unit) return unit;
    throw new NodeOperationError(`the parameter "units" must name some of ${differenceUnits.join(', ')}, not ${name}`, {
      itemIndex,
      description: 'Choose units from the list',
    });
  });
}

function extracted(context: ExecuteContext, itemIndex: number): JsonValue {
  const date = dateParameter(context, 'date', itemIndex);
  const part = choiceParameter(context, 'part', itemIndex, roundTo, 'month');
  return part === 'week' ? date.weekNumber : date.get(part);
}
