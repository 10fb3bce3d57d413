import { type ExecuteContext, type Item, type JsonObject, type JsonValue, NodeOperationError } from '@sluice/node-sdk';
import { DateTime, type DurationUnit } from 'luxon';
import { setOwn } from '../../shared/field-path.ts';
import {
  booleanParameter,
  choiceParameter,
  namesParameter,
  numberParameter,
  requiredText,
  textParameter,
} from '../../shared/parameters.ts';
import { checkedZone, locale, readDate } from './read-date.ts';
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

/** Version 2: dates in the workflow's time zone, by luxon. The result is alone in its item, unless the item's fields are to stay. */
export function dateTime2(context: ExecuteContext, item: Item, itemIndex: number): Item {
  const { output, run } = operations[choiceParameter(context, 'operation', itemIndex, operationNames, 'getCurrentDate')];
  const keeps = booleanParameter(context, 'options.includeInputFields', itemIndex, false);
  const json: JsonObject = keeps ? { ...item.json } : {};
  setOwn(json, textParameter(context, 'outputFieldName', itemIndex).trim() || output, run(context, itemIndex));
  const result: Item = { json, pairedItem: { item: itemIndex } };
  if (keeps && item.binary) result.binary = item.binary;
  return result;
}

function dateParameter(context: ExecuteContext, name: string, itemIndex: number): DateTime {
  const { timezone: zone } = context.workflow;
  return readDate(context.parameter(name, itemIndex), { zone }, `the parameter "${name}"`, itemIndex);
}

function currentDate(context: ExecuteContext, itemIndex: number): JsonValue {
  const zone = textParameter(context, 'options.timezone', itemIndex).trim() || context.workflow.timezone;
  const now = DateTime.now().setZone(checkedZone(zone, 'options.timezone', itemIndex));
  return (booleanParameter(context, 'includeTime', itemIndex, true) ? now : now.startOf('day')).toISO();
}

function moved(context: ExecuteContext, itemIndex: number, sign: 1 | -1): JsonValue {
  const unit = choiceParameter(context, 'timeUnit', itemIndex, timeUnits, 'days');
  const amount = sign * numberParameter(context, 'duration', itemIndex, 0);
  return dateParameter(context, 'magnitude', itemIndex)
    .plus({ [unit]: amount })
    .toISO();
}

function formatted(context: ExecuteContext, itemIndex: number): JsonValue {
  const inWorkflowZone = booleanParameter(context, 'options.timezone', itemIndex, false);
  const source = {
    zone: context.workflow.timezone,
    format: textParameter(context, 'options.fromFormat', itemIndex).trim() || undefined,
    keepOffset: !inWorkflowZone,
  };
  const date = readDate(context.parameter('date', itemIndex), source, 'the parameter "date"', itemIndex);
  const chosen = textParameter(context, 'format', itemIndex, 'MM/dd/yyyy');
  const format = chosen === 'custom' ? requiredText(context, 'customFormat', itemIndex) : chosen;
  return (inWorkflowZone ? date.setZone(source.zone) : date).toFormat(format, locale);
}

const roundTo = ['year', 'month', 'week', 'day', 'hour', 'minute', 'second'] as const;

/** Up is to the last moment of the month. */
function rounded(context: ExecuteContext, itemIndex: number): JsonValue {
  const date = dateParameter(context, 'date', itemIndex);
  if (choiceParameter(context, 'mode', itemIndex, ['roundDown', 'roundUp'], 'roundDown') === 'roundDown') {
    return date.startOf(choiceParameter(context, 'toNearest', itemIndex, roundTo, 'month')).toISO();
  }
  return date.endOf(choiceParameter(context, 'to', itemIndex, ['month'], 'month')).toISO();
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
  const names = namesParameter(context, 'units', itemIndex);
  return (names.length > 0 ? names : ['day']).map((name) => {
    const unit = differenceUnits.find((known) => known === name);
    if (unit) return unit;
    throw new NodeOperationError(`the parameter "units" has to name some of ${differenceUnits.join(', ')}, not ${name}`, {
      itemIndex,
      description: 'Choose units of the list',
    });
  });
}

function extracted(context: ExecuteContext, itemIndex: number): JsonValue {
  const date = dateParameter(context, 'date', itemIndex);
  const part = choiceParameter(context, 'part', itemIndex, roundTo, 'month');
  return part === 'week' ? date.weekNumber : date.get(part);
}
