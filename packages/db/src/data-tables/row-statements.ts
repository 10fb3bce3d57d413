import type { DataFilter, JsonObject } from '@sluice/domain';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { touched } from '../statements/touched.ts';
import type { Tables } from '../tables/tables.ts';
import { assertAtMost, type DataTable } from './data-table.ts';
import { conditionOf } from './data-table-conditions.ts';
import type { RowOrder, RowPosition } from './data-table-order.ts';
import { type DataRow, type StoredRow, shownRow, toRow, toStored, withoutNulls } from './stored-rows.ts';

/** Maximum number of rows per statement, and per transaction of a change. */
const batchSize = 1_000;
/** Maximum total size of the rows in a batch, in bytes, unless it has only one row. */
const batchBytes = 4_000_000;
/**
 * Maximum size of a row in bytes; several changes can extend a row, and a process that receives 512
 * MB crashes.
 */
const rowBytes = 2 ** 25;

/** A row of a batch. `more`: whether another matching row follows it. */
export type BatchRow = StoredRow & { more: boolean };

/** Positions refer to the order. */
interface ReadRange {
  order: RowOrder;
  after?: RowPosition | undefined;
  limit: number;
}

/**
 * Returns up to `limit` rows within the size limit of a batch, but at least one if any is left.
 * Long rows that do not fit are filtered again for the next page, so only a few long rows are read
 * at once.
 */
export async function readRows(
  db: Kysely<Tables>,
  table: DataTable,
  where: RawBuilder<boolean>,
  { order, after, limit }: ReadRange,
): Promise<(BatchRow & RowPosition)[]> {
  const beyond = after ? order.after(after) : sql`true`;
  const maxRows = Math.min(limit, sizeOfFirstPart(table));
  const { rows } = await sql<BatchRow & RowPosition>`
    SELECT ${shownRow}, r.more, ${order.key} AS key FROM (
      SELECT r.*, row_number() OVER w AS position, sum(r.size) OVER w AS bytes, lead(r.id) OVER w IS NOT NULL AS more
      FROM (
        SELECT r.* FROM data_table_rows r
        WHERE r.table_id = ${table.id} AND ${beyond} AND ${where} ORDER BY ${order.by} LIMIT ${maxRows + 1}
      ) r WINDOW w AS (ORDER BY ${order.by})
    ) r WHERE position = 1 OR (position <= ${maxRows} AND bytes <= ${batchBytes}) ORDER BY position`.execute(db);
  return rows;
}

/** The next rows that match the filter, ordered by id: the rows that a change would affect. */
export async function readBatch(
  db: Kysely<Tables>,
  table: DataTable,
  { filter, values }: { filter: DataFilter; values: StoredRow['data'] },
  after: number,
): Promise<BatchRow[]> {
  const growth = Buffer.byteLength(JSON.stringify(withoutNulls(values)));
  const { rows } = await sql<BatchRow>`
    WITH target AS MATERIALIZED (${target(table, filter, after, growth)})
    SELECT ${shownRow}, t.more FROM data_table_rows r JOIN target t ON r.id = t.id WHERE r.table_id = ${table.id}`.execute(db);
  return byId(rows);
}

/** The caller holds the table lock, as for all changes here. */
export async function insertRows(tx: Kysely<Tables>, table: DataTable, rows: readonly StoredRow['data'][]): Promise<DataRow[]> {
  const inserted: DataRow[] = [];
  for (let from = 0; from < rows.length; from += batchSize) {
    const batch = rows.slice(from, from + batchSize).map((data) => JSON.stringify(withoutNulls(data)));
    const { rows: batchRows } = await sql<StoredRow & { size: number }>`
      WITH ids AS (
        UPDATE data_tables SET next_row_id = next_row_id + ${batch.length} WHERE id = ${table.id}
        RETURNING next_row_id - ${batch.length} AS first
      )
      INSERT INTO data_table_rows AS r (table_id, id, data)
      SELECT ${table.id}, ids.first + v.at - 1, v.data::jsonb FROM ids, unnest(${batch}::text[]) WITH ORDINALITY AS v (data, at)
      RETURNING ${shownRow}, r.size`.execute(tx);
    for (const { size } of batchRows) assertRowSize(size);
    await count(tx, table, batchRows.length, total(batchRows.map(({ size }) => size)));
    for (const row of byId(batchRows)) inserted.push(toRow(table, row));
  }
  return inserted;
}

/** Changes the next rows that match the filter, ordered by id. */
export async function updateRows(
  tx: Kysely<Tables>,
  table: DataTable,
  { filter, values }: { filter: DataFilter; values: JsonObject },
  after: number,
): Promise<BatchRow[]> {
  const stored = toStored(table, values, '/data');
  const emptied = Object.keys(stored).filter((key) => stored[key] === null);
  const set = JSON.stringify(withoutNulls(stored));
  const { rows } = await sql<BatchRow & { size: number; grown: number }>`
    WITH target AS MATERIALIZED (${target(table, filter, after, Buffer.byteLength(set))})
    UPDATE data_table_rows r SET data = (r.data || ${set}::jsonb) - ${emptied}::text[], updated_at = ${touched}
    FROM target t WHERE r.table_id = ${table.id} AND r.id = t.id
    RETURNING ${shownRow}, t.more, r.size, r.size - t.size AS grown`.execute(tx);
  for (const { size, grown } of rows) if (grown > 0) assertRowSize(size);
  await count(tx, table, 0, total(rows.map(({ grown }) => grown)));
  return byId(rows);
}

/** Deletes the next rows that match the filter, ordered by id. */
export async function deleteRows(tx: Kysely<Tables>, table: DataTable, filter: DataFilter, after: number): Promise<BatchRow[]> {
  const { rows } = await sql<BatchRow & { size: number }>`
    WITH target AS MATERIALIZED (${target(table, filter, after)})
    DELETE FROM data_table_rows r USING target t WHERE r.table_id = ${table.id} AND r.id = t.id
    RETURNING ${shownRow}, t.more, r.size`.execute(tx);
  await count(tx, table, -rows.length, -total(rows.map(({ size }) => size)));
  return byId(rows);
}

/**
 * One batch of the rows that match a filter: limited in count and size, but at least one row. Long
 * rows that do not fit are filtered again for the next batch, so the first part has few of them.
 * `growth`: bytes that a change may add to each row.
 */
function target(table: DataTable, filter: DataFilter, after: number, growth = 0): RawBuilder<unknown> {
  const where = sql`r.table_id = ${table.id} AND ${conditionOf(filter, table.columns)}`;
  const few = sizeOfFirstPart(table);
  return sql`
    WITH first AS MATERIALIZED (
      SELECT r.id, r.size FROM data_table_rows r WHERE ${where} AND r.id > ${after} ORDER BY r.id LIMIT ${few + 1}
    ), part AS MATERIALIZED (
      SELECT max(id) AS last, count(*) > ${few} AND sum(size + ${growth}::int) <= ${batchBytes} AS fits FROM first
    ), candidates AS (
      SELECT id, size FROM first UNION ALL (
        SELECT r.id, r.size FROM data_table_rows r
        WHERE (SELECT fits FROM part) AND ${where} AND r.id > (SELECT last FROM part)
        ORDER BY r.id LIMIT ${batchSize - few}
      )
    ), numbered AS (
      SELECT id, size, row_number() OVER w AS position, sum(size + ${growth}::int) OVER w AS bytes,
        lead(id) OVER w IS NOT NULL AS more
      FROM candidates WINDOW w AS (ORDER BY id)
    )
    SELECT id, size, more FROM numbered WHERE position = 1 OR (position <= ${batchSize} AND bytes <= ${batchBytes})`;
}

/** Number of average-length rows that fill four batches. */
function sizeOfFirstPart({ rowCount, bytes }: DataTable): number {
  const rows = Math.ceil((4 * batchBytes * rowCount) / Math.max(1, bytes));
  return Math.min(batchSize, Math.max(1, rows));
}

function assertRowSize(size: number): void {
  assertAtMost(size, rowBytes, 'bytes in a row', '/data');
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
