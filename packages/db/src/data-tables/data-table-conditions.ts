import {
  type DataColumn,
  type DataCondition,
  type DataFilter,
  invalidRequest,
  type JsonValue,
  systemDataColumns,
  toDataValue,
  ValidationError,
} from '@sluice/domain';
import { type RawBuilder, sql } from 'kysely';

const maxConditions = 100;
const maxPatternLength = 1_000;
/**
 * Postgres compares each character of a text with each character of a pattern, and cannot be
 * interrupted meanwhile.
 */
const maxPatternsLength = 10_000;
const comparedLength = 100_000;
const comparisons = { gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=` } as const;
const unary: ReadonlySet<DataCondition> = new Set(['isEmpty', 'isNotEmpty', 'isTrue', 'isFalse']);
const ofSystem = { id: sql`r.id`, createdAt: sql`r.created_at`, updatedAt: sql`r.updated_at` } as const;

/**
 * The condition on `data_table_rows AS r`. Names and values are parameters, never SQL. Throws
 * `ValidationError` for unknown columns and values of the wrong type.
 */
export function conditionOf({ type, filters }: DataFilter, columns: readonly DataColumn[]): RawBuilder<boolean> {
  if (filters.length > maxConditions)
    throw new ValidationError(`a filter has at most ${maxConditions} conditions`, '/filter/filters');
  if (filters.length === 0) return sql<boolean>`true`;
  const patterns = filters.filter(({ condition }) => condition === 'like' || condition === 'ilike');
  if (patterns.reduce((sum, { value }) => sum + String(value ?? '').length, 0) > maxPatternsLength)
    throw new ValidationError(`the patterns of a filter have at most ${maxPatternsLength} characters`, '/filter/filters');
  const all = [...systemDataColumns, ...columns];
  const parts = filters.map(({ columnName, condition, value }, index) => {
    const path = `/filter/filters/${index}`;
    const column = all.find(({ name }) => name === columnName);
    if (!column) throw new ValidationError(`the data table has no column ${JSON.stringify(columnName)}`, `${path}/columnName`);
    // `eq` without a value would match the rows whose column is empty.
    if (value === undefined && !unary.has(condition)) throw invalidRequest(`${path}/value`, 'is required');
    return sql<boolean>`(${single(column, condition, value ?? null, `${path}/value`)})`;
  });
  return sql<boolean>`(${sql.join(parts, type === 'and' ? sql` AND ` : sql` OR `)})`;
}

function single(column: DataColumn, condition: DataCondition, value: JsonValue, path: string): RawBuilder<unknown> {
  switch (condition) {
    case 'isEmpty':
      return sql`${operand(column)} IS NULL`;
    case 'isNotEmpty':
      return sql`${operand(column)} IS NOT NULL`;
    case 'isTrue':
    case 'isFalse':
      if (column.type !== 'boolean') throw unfit(column, condition, path);
      return equal(column, condition === 'isTrue', path);
    case 'eq':
      return equal(column, value, path);
    case 'neq':
      return sql`(${equal(column, value, path)}) IS NOT TRUE`;
    case 'like':
    case 'ilike':
      return matching(column, condition, value, path);
    default: {
      const stored = toDataValue(column, value, path);
      if (column.type === 'boolean' || stored === null) throw unfit(column, condition, path);
      return sql`${operand(column)} ${comparisons[condition]} ${parameter(column, stored)}`;
    }
  }
}

/** With containment, which the index serves. */
function equal(column: DataColumn, value: JsonValue, path: string): RawBuilder<unknown> {
  const stored = toDataValue(column, value, path);
  if (stored === null) return sql`${operand(column)} IS NULL`;
  if (column.id in ofSystem) return sql`${operand(column)} = ${parameter(column, stored)}`;
  return sql`r.data @> ${JSON.stringify({ [column.id]: stored })}::jsonb`;
}

function matching(column: DataColumn, condition: 'like' | 'ilike', value: JsonValue, path: string): RawBuilder<unknown> {
  const pattern = toDataValue(column, value, path);
  if (typeof pattern !== 'string' || column.type !== 'string') throw unfit(column, condition, path);
  if (pattern.length > maxPatternLength)
    throw new ValidationError(`a pattern has at most ${maxPatternLength} characters`, path);
  // With all escapes removed, a remaining backslash escapes nothing.
  if (pattern.replaceAll(/\\./gs, '').endsWith('\\'))
    throw new ValidationError('a pattern must not end with a single "\\": it escapes what follows', path);
  const text = sql`left(${operand(column)}, ${comparedLength}::int)`;
  return condition === 'like' ? sql`${text} LIKE ${pattern}` : sql`${text} ILIKE ${pattern}`;
}

function unfit({ name, type }: DataColumn, condition: DataCondition, path: string): ValidationError {
  return new ValidationError(
    `the condition "${condition}" does not apply to the column "${name}" (${type}) and this value`,
    path,
  );
}

/** Strings and dates compare by their bytes, in every database. */
export function operand({ id, type }: DataColumn): RawBuilder<unknown> {
  if (id in ofSystem) return ofSystem[id as keyof typeof ofSystem];
  const text = sql`(r.data ->> ${id}::text)`;
  if (type === 'number') return sql`${text}::float8`;
  return type === 'boolean' ? sql`${text}::boolean` : sql`${text} COLLATE "C"`;
}

function parameter({ id, type }: DataColumn, value: unknown): RawBuilder<unknown> {
  if (id in ofSystem && type === 'date') return sql`${value}::timestamptz`;
  return type === 'number' ? sql`${value}::float8` : sql`${value}::text`;
}
