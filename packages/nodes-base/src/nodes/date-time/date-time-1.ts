import { type ExecuteContext, type Item, type JsonValue, NodeOperationError } from '@sluice/node-sdk';
import moment from 'moment-timezone';
import { setOwn } from '../../shared/field-path.ts';
import { choiceParameter, numberParameter, requiredText, textParameter } from '../../shared/parameters.ts';
import { parseInUtc } from './parse-in-utc.ts';
import { calculatedDate, checkedZone, notDate, readDate, readInFormat, readZonedDate } from './read-date.ts';
import { timeUnits } from './time-units.ts';

const maxFormatLength = 500;

/**
 * Version 1: formats dates with moment's tokens, or calculates with them in UTC. The result is
 * added to the item's fields; a dot in its name is part of the name.
 */
export function dateTime1(context: ExecuteContext, item: Item, itemIndex: number): Item {
  const name = requiredText(context, 'dataPropertyName', itemIndex, 'data');
  const action = choiceParameter(context, 'action', itemIndex, ['format', 'calculate'], 'format');
  const json = { ...item.json };
  setOwn(json, name, action === 'format' ? formatted(context, itemIndex) : calculated(context, itemIndex));
  return { ...item, json, pairedItem: { item: itemIndex } };
}

/** Null and empty text are the epoch, as workflows of the de-facto format expect. */
function formatted(context: ExecuteContext, itemIndex: number): string {
  const { from, to } = readZones(context, itemIndex);
  const value = dateValue(context, itemIndex);
  const format = textParameter(context, 'toFormat', itemIndex, 'MM/DD/YYYY');
  if (format.length > maxFormatLength)
    throw new NodeOperationError(`a date format has ${maxFormatLength} characters at most`, {
      itemIndex,
      description: 'Write a shorter format',
    });
  return dateToFormat(context, value, from, itemIndex)
    .tz(to)
    .format(format || undefined);
}

/** Only the date's point in time matters: both zones are options. */
function dateValue(context: ExecuteContext, itemIndex: number): JsonValue {
  const value = context.parameter<JsonValue>('value', itemIndex);
  return readZonedDate(value)?.toISO() ?? value;
}

function dateToFormat(context: ExecuteContext, value: JsonValue | undefined, zone: string, itemIndex: number): moment.Moment {
  if (value === null || value === '') return moment.tz(0, zone);
  const format = textParameter(context, 'options.fromFormat', itemIndex).trim();
  if (format !== '') return readInFormat(value, format, zone, itemIndex);
  return moment.tz(readDate(value, zone, 'the parameter "value"', itemIndex), zone);
}

/** UTC; if an option sets a time zone, the other time zone defaults to the workflow's. */
function readZones(context: ExecuteContext, itemIndex: number): { from: string; to: string } {
  const [from, to] = ['options.fromTimezone', 'options.toTimezone'].map((path) => {
    const zone = textParameter(context, path, itemIndex).trim();
    return zone === '' ? undefined : checkedZone(zone, path, itemIndex);
  });
  const other = from === undefined && to === undefined ? 'UTC' : context.workflow.timezone;
  return { from: from ?? other, to: to ?? other };
}

function calculated(context: ExecuteContext, itemIndex: number): string {
  const unit = choiceParameter(context, 'timeUnit', itemIndex, [...timeUnits, 'milliseconds'], 'days');
  const sign = choiceParameter(context, 'operation', itemIndex, ['add', 'subtract'], 'add') === 'add' ? 1 : -1;
  const amount = sign * numberParameter(context, 'duration', itemIndex, 0);
  return calculatedDate(dateToMove(context, itemIndex).add(amount, unit).toISOString(), itemIndex);
}

/** Here, a number means milliseconds, and null means the epoch. */
function dateToMove(context: ExecuteContext, itemIndex: number): moment.Moment {
  const value = dateValue(context, itemIndex);
  const format = textParameter(context, 'options.fromFormat', itemIndex).trim();
  if (format !== '' && value !== null) return readInFormat(value, format, 'UTC', itemIndex);
  const date = moment.utc(
    typeof value === 'string' ? parseInUtc(value) : typeof value === 'object' && value ? Number.NaN : Number(value),
  );
  if (date.isValid()) return date;
  throw notDate(value, 'the parameter "value"', itemIndex, 'Write it as 2024-01-31 or 2024-01-31T13:45:00, in UTC');
}
