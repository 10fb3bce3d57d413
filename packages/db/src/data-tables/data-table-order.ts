import { type DataColumn, systemDataColumns, ValidationError } from '@sluice/domain';
import { type RawBuilder, sql } from 'kysely';
import { operand } from './data-table-conditions.ts';

export interface RowSort {
  columnName: string;
  direction: 'asc' | 'desc';
}

/**
 * A row's position in an order: the text of its sort key, null where the column is empty, and its
 * id.
 */
export interface RowPosition {
  key: string | null;
  id: number;
}

/** Parts of a statement on `data_table_rows AS r`. */
export interface RowOrder {
  /** Text of the sort key. */
  key: RawBuilder<string | null>;
  by: RawBuilder<unknown>;
  /** Throws `ValidationError` for a position that does not belong to this order. */
  after(position: RowPosition): RawBuilder<boolean>;
}

type KeyType = 'float8' | 'boolean' | 'text';

/** Strings are ordered by their first characters, so that a key fits into a cursor. */
const keyLength = 100;

/**
 * Orders rows by a column and then by id, with empty values last; without `sort`, by id only.
 * Throws `ValidationError` for unknown columns.
 */
export function orderOf(sort: RowSort | undefined, columns: readonly DataColumn[]): RowOrder {
  if (sort === undefined || sort.columnName === 'id') return byId(sort?.direction ?? 'asc');
  const column = [...systemDataColumns, ...columns].find(({ name }) => name === sort.columnName);
  if (!column) throw new ValidationError(`the data table has no column ${JSON.stringify(sort.columnName)}`, '/sortBy');
  return byColumn(column, sort.direction);
}

function byId(direction: RowSort['direction']): RowOrder {
  const descending = direction === 'desc';
  return {
    key: sql`NULL`,
    by: descending ? sql`r.id DESC` : sql`r.id`,
    after: ({ id }) => (descending ? sql`r.id < ${id}` : sql`r.id > ${id}`),
  };
}

function byColumn(column: DataColumn, direction: RowSort['direction']): RowOrder {
  const { key, type } = keyOf(column);
  const descending = direction === 'desc';
  return {
    key: sql`(${key})::text`,
    by: descending ? sql`${key} DESC NULLS LAST, r.id` : sql`${key} NULLS LAST, r.id`,
    after(position) {
      if (position.key === null) return sql`(${key} IS NULL AND r.id > ${position.id})`;
      const at = keyValue(position.key, type);
      const beyond = descending ? sql`${key} < ${at}` : sql`${key} > ${at}`;
      return sql`(${beyond} OR ${key} IS NULL OR (${key} = ${at} AND r.id > ${position.id}))`;
    },
  };
}

function keyOf(column: DataColumn): { key: RawBuilder<unknown>; type: KeyType } {
  const value = operand(column);
  if (systemDataColumns.includes(column)) return { key: sql`extract(epoch FROM ${value})::float8`, type: 'float8' };
  if (column.type === 'number') return { key: value, type: 'float8' };
  if (column.type === 'boolean') return { key: value, type: 'boolean' };
  return { key: sql`left(${value}, ${keyLength}) COLLATE "C"`, type: 'text' };
}

/** The type of a column may differ if another one took its name since the last page. */
function keyValue(key: string, type: KeyType): RawBuilder<unknown> {
  if (type === 'text') return sql`${key}::text`;
  const fits = type === 'float8' ? Number.isFinite(Number(key)) && key.trim() !== '' : key === 'true' || key === 'false';
  if (!fits) throw new ValidationError('the cursor is not valid: the columns have changed', '/cursor');
  return type === 'float8' ? sql`${key}::float8` : sql`${key}::boolean`;
}
