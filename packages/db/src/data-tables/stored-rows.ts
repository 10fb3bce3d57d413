import { type DataColumn, type DataValue, type JsonObject, toDataValue, ValidationError } from '@sluice/domain';
import { sql } from 'kysely';
import type { DataTable } from './data-table.ts';

/**
 * `id`, `createdAt`, `updatedAt`, and the value of each column, null included. Timestamps are ISO
 * 8601 strings.
 */
export type DataRow = Record<string, DataValue>;

export interface StoredRow {
  id: number;
  /** Values by column key. */
  data: Record<string, DataValue>;
  createdAt: Date;
  updatedAt: Date;
}

/** Selects a `StoredRow` from `data_table_rows AS r`. */
export const shownRow = sql`r.id::float8 AS id, r.data, r.created_at AS "createdAt", r.updated_at AS "updatedAt"`;

const columnsByName = new WeakMap<DataTable, ReadonlyMap<string, DataColumn>>();

/** A table may have 1,000 columns, and a request may have 1,000 rows. */
function columnsOf(table: DataTable): ReadonlyMap<string, DataColumn> {
  const columns = columnsByName.get(table) ?? new Map(table.columns.map((column) => [column.name, column]));
  columnsByName.set(table, columns);
  return columns;
}

/**
 * Converts values to column keys. `path`: location of the values in the request. Throws
 * `ValidationError`.
 */
export function toStored(table: DataTable, values: JsonObject, path: string): StoredRow['data'] {
  const stored: StoredRow['data'] = {};
  for (const [name, value] of Object.entries(values)) {
    const column = columnsOf(table).get(name);
    if (!column) throw new ValidationError(`the data table has no column ${JSON.stringify(name.slice(0, 64))}`, path);
    stored[column.id] = toDataValue(column, value, `${path}/${name}`);
  }
  return stored;
}

export function withoutNulls(data: StoredRow['data']): StoredRow['data'] {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null));
}

export function toRow({ columns }: DataTable, { id, data, createdAt, updatedAt }: StoredRow): DataRow {
  const values = columns.map(({ id: key, name }) => [name, data[key] ?? null] as const);
  return { id, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString(), ...Object.fromEntries(values) };
}
