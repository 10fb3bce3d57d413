import type { ExecuteContext, Item } from '@sluice/node-sdk';
import type { DurationLikeObject } from 'luxon';
import { parseFieldPath, withField } from '../../shared/field-path.ts';
import { choiceParameter, numberParameter, textParameter } from '../../shared/parameters.ts';
import { readableFormat, writeMoment } from './moment-format.ts';
import { checkedZone, readDate } from './read-date.ts';
import { timeUnits } from './time-units.ts';

/** Version 1: formats dates by moment's tokens, or calculates with them, in UTC unless told. The result goes beside the item's fields. */
export function dateTime1(context: ExecuteContext, item: Item, itemIndex: number): Item {
  const path = parseFieldPath(textParameter(context, 'dataPropertyName', itemIndex, 'data').trim() || 'data');
  const action = choiceParameter(context, 'action', itemIndex, ['format', 'calculate'], 'format');
  const value = context.parameter('value', itemIndex);
  const isNothing = action === 'format' && (value === undefined || value === null || value === '');
  const result = isNothing ? null : action === 'format' ? formatted(context, itemIndex) : calculated(context, itemIndex);
  return { ...item, json: withField(item.json, path, result), pairedItem: { item: itemIndex } };
}

function formatted(context: ExecuteContext, itemIndex: number): string {
  const zone = (name: string, fallback: string) => {
    const path = `options.${name}`;
    return checkedZone(textParameter(context, path, itemIndex).trim() || fallback, path, itemIndex);
  };
  const date = dateOf(context, itemIndex, zone('fromTimezone', 'UTC'));
  return writeMoment(date.setZone(zone('toTimezone', 'UTC')), textParameter(context, 'toFormat', itemIndex, 'MM/DD/YYYY'));
}

function calculated(context: ExecuteContext, itemIndex: number): string {
  const unit = choiceParameter(context, 'timeUnit', itemIndex, [...timeUnits, 'milliseconds'], 'days');
  const sign = choiceParameter(context, 'operation', itemIndex, ['add', 'subtract'], 'add') === 'add' ? 1 : -1;
  const duration: DurationLikeObject = { [unit]: sign * numberParameter(context, 'duration', itemIndex, 0) };
  return dateOf(context, itemIndex, 'UTC').plus(duration).toUTC().toISO() ?? '';
}

function dateOf(context: ExecuteContext, itemIndex: number, zone: string) {
  const fromFormat = textParameter(context, 'options.fromFormat', itemIndex).trim();
  const format = /^[Xx]?$/.test(fromFormat) ? fromFormat || undefined : readableFormat(fromFormat);
  return readDate(context.parameter('value', itemIndex), { zone, format }, 'the parameter "value"', itemIndex);
}
