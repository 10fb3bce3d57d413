import type { DataFilter, JsonObject } from '@sluice/domain';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';
import { touched } from '../touched.ts';
import type { DataTable } from './data-table.ts';
import { conditionOf } from './data-table-conditions.ts';
import { orderOf, type RowOrder, type RowPosition } from './data-table-order.ts';
import { type DataRow, type StoredRow, shownRow, toRow, toStored, withoutNulls } from './stored-rows.ts';

/** Rows per statement, and per transaction of a change. */
export const batchSize = 1_000;

/** Positions are those of the order. */
interface ReadRange {
  order?: RowOrder;
  after?: RowPosition | undefined;
  limit: number;
}

export async function readRows(
  db: Kysely<Tables>,
  { id }: DataTable,
  where: RawBuilder<boolean>,
  { order = orderOf(undefined, []), after, limit }: ReadRange,
): Promise<(StoredRow & { key: string | null })[]> {
  const beyond = after ? order.after(after) : sql`true`;
  const { rows } = await sql<StoredRow & { key: string | null }>`
    SELECT ${shownRow}, ${order.key} AS key FROM data_table_rows r
    WHERE r.table_id = ${id} AND ${beyond} AND ${where} ORDER BY ${order.by} LIMIT ${limit}`.execute(db);
  return rows;
}

/** The caller holds the lock of the table, as for all changes here. */
export async function insertRows(tx: Kysely<Tables>, table: DataTable, rows: readonly StoredRow['data'][]): Promise<DataRow[]> {
  const inserted: DataRow[] = [];
  for (let from = 0; from < rows.length; from += batchSize) {
    const batch = rows.slice(from, from + batchSize).map((data) => JSON.stringify(withoutNulls(data)));
    const { rows: made } = await sql<StoredRow & { size: number }>`
      WITH ids AS (
        UPDATE data_tables SET next_row_id = next_row_id + ${batch.length} WHERE id = ${table.id}
        RETURNING next_row_id - ${batch.length} AS first
      )
      INSERT INTO data_table_rows AS r (table_id, id, data)
      SELECT ${table.id}, ids.first + v.at - 1, v.data::jsonb FROM ids, unnest(${batch}::text[]) WITH ORDINALITY AS v (data, at)
      RETURNING ${shownRow}, r.size`.execute(tx);
    await count(tx, table, made.length, total(made.map(({ size }) => size)));
    for (const row of byId(made)) inserted.push(toRow(table, row));
  }
  return inserted;
}

/** Changes the next rows that fulfill the filter, in the order of their ids. */
export async function updateRows(
  tx: Kysely<Tables>,
  table: DataTable,
  { filter, values }: { filter: DataFilter; values: JsonObject },
  after: number,
): Promise<StoredRow[]> {
  const where = conditionOf(filter, table.columns);
  const stored = toStored(table, values, '/data');
  const emptied = Object.keys(stored).filter((key) => stored[key] === null);
  const set = JSON.stringify(withoutNulls(stored));
  const { rows } = await sql<StoredRow & { grown: number }>`
    WITH target AS MATERIALIZED (${target(table, where, after, sql`, r.size`)})
    UPDATE data_table_rows r SET data = (r.data || ${set}::jsonb) - ${emptied}::text[], updated_at = ${touched}
    FROM target t WHERE r.table_id = ${table.id} AND r.id = t.id
    RETURNING ${shownRow}, r.size - t.size AS grown`.execute(tx);
  await count(tx, table, 0, total(rows.map(({ grown }) => grown)));
  return byId(rows);
}

/** Deletes the next rows that fulfill the filter, in the order of their ids. */
export async function deleteRows(
  tx: Kysely<Tables>,
  table: DataTable,
  filter: DataFilter,
  after: number,
): Promise<StoredRow[]> {
  const where = conditionOf(filter, table.columns);
  const { rows } = await sql<StoredRow & { size: number }>`
    DELETE FROM data_table_rows r WHERE r.table_id = ${table.id} AND r.id IN (${target(table, where, after)})
    RETURNING ${shownRow}, r.size`.execute(tx);
  await count(tx, table, -rows.length, -total(rows.map(({ size }) => size)));
  return byId(rows);
}

/** One batch of the rows that fulfill a condition. */
function target(
  { id }: DataTable,
  where: RawBuilder<boolean>,
  after: number,
  columns: RawBuilder<unknown> = sql``,
): RawBuilder<unknown> {
  return sql`SELECT r.id${columns} FROM data_table_rows r WHERE r.table_id = ${id} AND r.id > ${after} AND ${where}
    ORDER BY r.id LIMIT ${batchSize}`;
}

async function count(tx: Kysely<Tables>, { id }: DataTable, rows: number, bytes: number): Promise<void> {
  await sql`UPDATE data_tables SET row_count = row_count + ${rows}, bytes = bytes + ${bytes} WHERE id = ${id}`.execute(tx);
}

function byId<T extends { id: number }>(rows: T[]): T[] {
  return rows.sort((a, b) => a.id - b.id);
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
