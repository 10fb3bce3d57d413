import type { ExecuteContext, Item } from '@sluice/node-sdk';
import { DateTime, type DurationLikeObject } from 'luxon';
import { setOwn } from '../../shared/field-path.ts';
import { choiceParameter, numberParameter, textParameter } from '../../shared/parameters.ts';
import { readableFormat, writeMoment } from './moment-format.ts';
import { checkedZone, locale, readDate } from './read-date.ts';
import { timeUnits } from './time-units.ts';

/**
 * Version 1: formats dates by moment's tokens, or calculates with them, in UTC by default. The result joins
 * the item's fields; a dot in its name is part of the name.
 */
export function dateTime1(context: ExecuteContext, item: Item, itemIndex: number): Item {
  const name = textParameter(context, 'dataPropertyName', itemIndex, 'data').trim() || 'data';
  const action = choiceParameter(context, 'action', itemIndex, ['format', 'calculate'], 'format');
  const json = { ...item.json };
  setOwn(json, name, action === 'format' ? formatted(context, itemIndex) : calculated(context, itemIndex));
  return { ...item, json, pairedItem: { item: itemIndex } };
}

function formatted(context: ExecuteContext, itemIndex: number): string {
  const zone = (name: string, fallback: string) => {
    const path = `options.${name}`;
    return checkedZone(textParameter(context, path, itemIndex).trim() || fallback, path, itemIndex);
  };
  const isEmpty = context.parameter('value', itemIndex) === '';
  const date = isEmpty ? epoch() : dateOf(context, itemIndex, zone('fromTimezone', 'UTC'));
  return writeMoment(date.setZone(zone('toTimezone', 'UTC')), textParameter(context, 'toFormat', itemIndex, 'MM/DD/YYYY'));
}

function calculated(context: ExecuteContext, itemIndex: number): string {
  const unit = choiceParameter(context, 'timeUnit', itemIndex, [...timeUnits, 'milliseconds'], 'days');
  const sign = choiceParameter(context, 'operation', itemIndex, ['add', 'subtract'], 'add') === 'add' ? 1 : -1;
  const duration: DurationLikeObject = { [unit]: sign * numberParameter(context, 'duration', itemIndex, 0) };
  return dateOf(context, itemIndex, 'UTC').plus(duration).toUTC().toISO() ?? '';
}

/** Null is the epoch, as workflows of the de-facto format expect. */
function dateOf(context: ExecuteContext, itemIndex: number, zone: string): DateTime {
  const value = context.parameter('value', itemIndex);
  if (value === null) return epoch();
  const fromFormat = textParameter(context, 'options.fromFormat', itemIndex).trim();
  const format = /^[Xx]?$/.test(fromFormat) ? fromFormat || undefined : readableFormat(fromFormat);
  return readDate(value, { zone, format }, 'the parameter "value"', itemIndex);
}

function epoch(): DateTime {
  return DateTime.fromMillis(0, { zone: 'UTC', ...locale });
}
