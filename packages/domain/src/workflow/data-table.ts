import { ValidationError } from '../errors.ts';
import type { JsonValue } from '../json/json.ts';

export const dataColumnTypes = ['string', 'number', 'boolean', 'date'] as const;
export type DataColumnType = (typeof dataColumnTypes)[number];

/** A column of a data table. Its type never changes. */
export interface DataColumn {
  id: string;
  name: string;
  type: DataColumnType;
}

/** A value of a row. Dates are ISO 8601 strings in UTC with milliseconds. */
export type DataValue = string | number | boolean | null;

/** `like`, `ilike`: `%` matches any string and `_` one character. `isEmpty`: the value is null. */
export const dataConditions = [
  'eq',
  'neq',
  'like',
  'ilike',
  'gt',
  'gte',
  'lt',
  'lte',
  'isEmpty',
  'isNotEmpty',
  'isTrue',
  'isFalse',
] as const;
export type DataCondition = (typeof dataConditions)[number];

/** `and`: rows that match all conditions. Without conditions: all rows. */
export interface DataFilter {
  type: 'and' | 'or';
  filters: readonly { columnName: string; condition: DataCondition; value?: JsonValue | undefined }[];
}

/** Columns that every data table has. */
export const systemDataColumns: readonly DataColumn[] = [
  { id: 'id', name: 'id', type: 'number' },
  { id: 'createdAt', name: 'createdAt', type: 'date' },
  { id: 'updatedAt', name: 'updatedAt', type: 'date' },
];

const isoDate = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * Converts a value to the form that a column of this type stores. `path`: location of the value.
 * Throws `ValidationError`.
 */
export function toDataValue({ name, type }: Pick<DataColumn, 'name' | 'type'>, value: JsonValue, path: string): DataValue {
  if (value === null) return null;
  if (type === 'string' && typeof value === 'string' && isStorable(value)) return value;
  if (type === 'number' && typeof value === 'number') return value;
  if (type === 'boolean' && typeof value === 'boolean') return value;
  const date = type === 'date' && typeof value === 'string' ? toInstant(value) : undefined;
  if (date !== undefined) return date;
  throw new ValidationError(`the column "${name}" needs ${expected[type]}`, path);
}

const expected: Readonly<Record<DataColumnType, string>> = {
  string: 'well-formed text without U+0000',
  number: 'a number',
  boolean: 'true or false',
  date: 'an ISO 8601 date',
};

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** UTC if the text has no offset. */
function toInstant(text: string): string | undefined {
  if (text.length > 40 || !isoDate.test(text) || !isCalendarDay(text.slice(0, 10))) return undefined;
  const hasOffset = text.length === 10 || /(?:Z|[+-]\d{2}:?\d{2})$/.test(text);
  const date = new Date(hasOffset ? text : `${text.replace(' ', 'T')}Z`);
  const iso = Number.isNaN(date.getTime()) ? '' : date.toISOString();
  // An offset may move the first or the last day out of the year range of Postgres and ISO 8601.
  return iso.length === 24 && !iso.startsWith('0000') ? iso : undefined;
}

/**
 * Whether `YYYY-MM-DD` is a day of the calendar: `Date` moves February 30 to March. Year 0 is
 * invalid, as in Postgres.
 */
export function isCalendarDay(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const start = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(start.getTime()) && start.toISOString().startsWith(text);
}
