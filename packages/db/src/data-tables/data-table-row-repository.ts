import { type DataFilter, type DataValue, type JsonObject, NotFoundError, toDataValue, ValidationError } from '@sluice/domain';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Access } from '../access.ts';
import { inTransaction } from '../in-transaction.ts';
import type { Tables } from '../tables/tables.ts';
import { touched } from '../touched.ts';
import { assertRoom, type DataTable, type DataTableLimits, DataTableQuotaError, dataTableLimits } from './data-table.ts';
import { conditionOf } from './data-table-conditions.ts';
import { DataTableRepository } from './data-table-repository.ts';

/** `id`, `createdAt`, `updatedAt`, and the value of each column, null included. Instants are ISO 8601 texts. */
export type DataRow = Record<string, DataValue>;

/** A row that a dry run would change. Absent `before`: it would be inserted. */
export interface DataRowChange {
  before?: DataRow;
  after: DataRow;
}

/** The rows of one page: with greater ids than `after`. */
export interface RowPage {
  after?: number | undefined;
  limit: number;
}

interface StoredRow {
  id: number;
  data: Record<string, DataValue>;
  createdAt: Date;
  updatedAt: Date;
}

/** Rows per statement. */
const batchSize = 1_000;
const shown = sql`r.id::float8 AS id, r.data, r.created_at AS "createdAt", r.updated_at AS "updatedAt"`;

/**
 * Rows of data tables. A write is one transaction that locks its table, so that an upsert never inserts
 * twice, and counts stay exact. Throws `NotFoundError`, `ForbiddenError`, `ValidationError`,
 * `ConflictError` (too many rows), and `STORAGE_QUOTA_EXCEEDED`.
 */
export class DataTableRowRepository {
  readonly #db: Kysely<Tables>;
  readonly #limits: DataTableLimits;

  constructor(db: Kysely<Tables>, limits: DataTableLimits = dataTableLimits) {
    this.#db = db;
    this.#limits = limits;
  }

  /** In the order of their ids. */
  async list(tableId: string, access: Access, filter: DataFilter, page: RowPage): Promise<DataRow[]> {
    const table = await new DataTableRepository(this.#db).get(tableId, access);
    const rows = await read(this.#db, table, conditionOf(filter, table.columns), page);
    return rows.map((row) => toRow(table, row));
  }

  async insert(tableId: string, access: Access, rows: readonly JsonObject[]): Promise<DataRow[]> {
    return this.#write(tableId, access, async (tx, table) => {
      const stored = rows.map((row, index) => toStored(table, row, `/data/${index}`));
      return this.#insert(tx, table, stored);
    });
  }

  /** Changes the given columns of every row that fulfills the filter. */
  async update(tableId: string, access: Access, filter: DataFilter, values: JsonObject): Promise<DataRow[]> {
    return this.#write(tableId, access, (tx, table) => update(tx, table, filter, values));
  }

  /** Updates the rows that fulfill the filter, or inserts a row if there is none. */
  async upsert(tableId: string, access: Access, filter: DataFilter, values: JsonObject): Promise<DataRow[]> {
    return this.#write(tableId, access, async (tx, table) => {
      const updated = await update(tx, table, filter, values);
      return updated.length > 0 ? updated : this.#insert(tx, table, [toStored(table, values, '/data')]);
    });
  }

  /** The rows that `update` or `upsert` would change. Writes nothing. */
  async preview(
    tableId: string,
    access: Access,
    { filter, values, upsert }: { filter: DataFilter; values: JsonObject; upsert: boolean },
  ): Promise<DataRowChange[]> {
    const table = await new DataTableRepository(this.#db).get(tableId, access);
    const where = conditionOf(filter, table.columns);
    const stored = toStored(table, values, '/data');
    const updatedAt = new Date();
    const changed = (row: StoredRow) => ({ ...row, data: { ...row.data, ...stored }, updatedAt });
    const changes: DataRowChange[] = [];
    await eachBatch(async (after) => {
      const rows = await read(this.#db, table, where, { after, limit: batchSize });
      for (const row of rows) changes.push({ before: toRow(table, row), after: toRow(table, changed(row)) });
      return rows;
    });
    if (changes.length > 0 || !upsert) return changes;
    const { id, ...inserted } = toRow(table, { id: 0, data: stored, createdAt: updatedAt, updatedAt });
    return [{ after: { id: null, ...inserted } }];
  }

  /** Resolves to the deleted rows. */
  async delete(tableId: string, access: Access, filter: DataFilter): Promise<DataRow[]> {
    return this.#write(tableId, access, async (tx, table) => {
      const where = conditionOf(filter, table.columns);
      return eachBatch(async (after) => {
        const { rows } = await sql<StoredRow & { size: number }>`
          DELETE FROM data_table_rows r WHERE r.table_id = ${table.id} AND r.id IN (${target(table, where, after)})
          RETURNING ${shown}, r.size`.execute(tx);
        await count(tx, table, -rows.length, -total(rows.map(({ size }) => size)));
        return byId(rows);
      }).then((rows) => rows.map((row) => toRow(table, row)));
    });
  }

  async #insert(tx: Kysely<Tables>, table: DataTable, rows: readonly StoredRow['data'][]): Promise<DataRow[]> {
    if (table.rowCount + rows.length > this.#limits.rows)
      assertRoom(this.#limits.rows, this.#limits.rows, 'rows in a data table');
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
        RETURNING ${shown}, r.size`.execute(tx);
      await count(tx, table, made.length, total(made.map(({ size }) => size)));
      for (const row of byId(made)) inserted.push(toRow(table, row));
    }
    return inserted;
  }

  async #write<T>(tableId: string, access: Access, work: (tx: Kysely<Tables>, table: DataTable) => Promise<T>): Promise<T> {
    return inTransaction(this.#db, async (tx) => {
      const locked = await tx
        .selectFrom('data_tables')
        .select('bytes')
        .where('id', '=', tableId)
        .forUpdate()
        .executeTakeFirst();
      if (!locked) throw new NotFoundError(`data table ${tableId} does not exist`);
      const table = await new DataTableRepository(tx).get(tableId, access);
      const result = await work(tx, table);
      await this.#assertBytes(tx, table);
      return result;
    });
  }

  /** Only growth is refused, so that a project over a lowered quota can delete. */
  async #assertBytes(tx: Kysely<Tables>, { id, projectId, bytes: before }: DataTable): Promise<void> {
    const { rows } = await sql<{ all: number; own: number }>`
      SELECT sum(bytes)::float8 AS all, (sum(bytes) FILTER (WHERE id = ${id}))::float8 AS own
      FROM data_tables WHERE project_id = ${projectId}`.execute(tx);
    const { all, own } = rows[0] ?? { all: 0, own: 0 };
    if (own > before && all > this.#limits.bytes) throw new DataTableQuotaError(this.#limits.bytes);
  }
}

async function update(tx: Kysely<Tables>, table: DataTable, filter: DataFilter, values: JsonObject): Promise<DataRow[]> {
  const where = conditionOf(filter, table.columns);
  const stored = toStored(table, values, '/data');
  const emptied = Object.keys(stored).filter((key) => stored[key] === null);
  const set = JSON.stringify(withoutNulls(stored));
  const rows = await eachBatch(async (after) => {
    const { rows: changed } = await sql<StoredRow & { grown: number }>`
      WITH target AS MATERIALIZED (${target(table, where, after, sql`, r.size`)})
      UPDATE data_table_rows r SET data = (r.data || ${set}::jsonb) - ${emptied}::text[], updated_at = ${touched}
      FROM target t WHERE r.table_id = ${table.id} AND r.id = t.id
      RETURNING ${shown}, r.size - t.size AS grown`.execute(tx);
    await count(tx, table, 0, total(changed.map(({ grown }) => grown)));
    return byId(changed);
  });
  return rows.map((row) => toRow(table, row));
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

async function read(
  db: Kysely<Tables>,
  { id }: DataTable,
  where: RawBuilder<boolean>,
  { after = 0, limit }: RowPage,
): Promise<StoredRow[]> {
  const { rows } = await sql<StoredRow>`
    SELECT ${shown} FROM data_table_rows r WHERE r.table_id = ${id} AND r.id > ${after} AND ${where}
    ORDER BY r.id LIMIT ${limit}`.execute(db);
  return rows;
}

/** Walks over batches in the order of their ids, so that each row is seen once. */
async function eachBatch<T extends { id: number }>(next: (after: number) => Promise<T[]>): Promise<T[]> {
  const all: T[] = [];
  for (let after = 0; ; ) {
    const rows = await next(after);
    for (const row of rows) all.push(row);
    const last = rows.at(-1);
    if (!last || rows.length < batchSize) return all;
    after = last.id;
  }
}

async function count(tx: Kysely<Tables>, { id }: DataTable, rows: number, bytes: number): Promise<void> {
  await sql`UPDATE data_tables SET row_count = row_count + ${rows}, bytes = bytes + ${bytes} WHERE id = ${id}`.execute(tx);
}

/** By the keys of the columns. Throws `ValidationError`. */
function toStored({ columns }: DataTable, values: JsonObject, path: string): StoredRow['data'] {
  const stored: StoredRow['data'] = {};
  for (const [name, value] of Object.entries(values)) {
    const column = columns.find((candidate) => candidate.name === name);
    if (!column) throw new ValidationError(`the data table has no column ${JSON.stringify(name.slice(0, 64))}`, path);
    stored[column.id] = toDataValue(column, value, `${path}/${name}`);
  }
  return stored;
}

function withoutNulls(data: StoredRow['data']): StoredRow['data'] {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null));
}

function toRow({ columns }: DataTable, { id, data, createdAt, updatedAt }: StoredRow): DataRow {
  const values = columns.map(({ id: key, name }) => [name, data[key] ?? null] as const);
  return { id, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString(), ...Object.fromEntries(values) };
}

function byId<T extends { id: number }>(rows: T[]): T[] {
  return rows.sort((a, b) => a.id - b.id);
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
