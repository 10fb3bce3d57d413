import { type DataFilter, type JsonObject, NotFoundError } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import type { Access } from '../access.ts';
import { noteForAudit } from '../audit/audit-trail.ts';
import { inTransaction } from '../statements/in-transaction.ts';
import { type RepeatedWrite, writeOnce } from '../statements/write-once.ts';
import type { Tables } from '../tables/tables.ts';
import {
  assertAtMost,
  type DataTable,
  type DataTableLimits,
  DataTableQuotaError,
  dataTableLimits,
  getDataTable,
} from './data-table.ts';
import { conditionOf } from './data-table-conditions.ts';
import { DataTableConnections } from './data-table-connections.ts';
import { orderOf, type RowPosition, type RowSort } from './data-table-order.ts';
import { type BatchRow, deleteRows, insertRows, readBatch, readRows, updateRows } from './row-statements.ts';
import { type DataRow, type StoredRow, toRow, toStored } from './stored-rows.ts';

export interface DataChange {
  filter: DataFilter;
  /** Column → new value. */
  values: JsonObject;
}

/** One step of a change: the next batch of rows that match a filter. */
export interface RowStep {
  tableId: string;
  access: Access;
  filter: DataFilter;
  /** The step covers only rows with greater ids; default: all rows. */
  after?: number;
  /**
   * For callers that repeat a step: pass the same object each time, and the step is committed once.
   */
  write?: RepeatedWrite<RowBatch>;
}

/** A row that a dry run would change. Absent `before`: it would be inserted. */
export interface DataRowChange {
  before?: DataRow;
  after: DataRow;
}

/** A step of a change, which is one transaction. */
export interface RowBatch {
  rows: DataRow[];
  /** Whether the rows were inserted. */
  inserted: boolean;
  /** Id after which the next step continues; null if no rows are left. */
  next: number | null;
}

/** A step of a dry run. */
export interface PreviewBatch {
  changes: DataRowChange[];
  /** As in `RowBatch`. */
  next: number | null;
}

/** One page of rows in an order, after a position. */
export interface RowPage {
  sort?: RowSort | undefined;
  after?: RowPosition | undefined;
  limit: number;
}

/**
 * Rows of data tables. A write is one transaction that locks its table, so that an upsert never
 * inserts twice, and counts stay exact. A change of many rows is several writes. A caller that
 * repeats a step passes the same `write`, so that it gets the rows of the first commit. Throws
 * `NotFoundError`, `ForbiddenError` (before it waits for a lock), `ValidationError`,
 * `ConflictError` (too many rows), `STORAGE_QUOTA_EXCEEDED`, and `UnavailableError` if other
 * operations of the project take too long.
 */
export class DataTableRowRepository {
  readonly #db: Kysely<Tables>;
  readonly #limits: DataTableLimits;
  readonly #connections: DataTableConnections;

  constructor(
    db: Kysely<Tables>,
    limits: DataTableLimits = dataTableLimits,
    connections: DataTableConnections = new DataTableConnections(),
  ) {
    this.#db = db;
    this.#limits = limits;
    this.#connections = connections;
  }

  /**
   * `next`: position of the last row; null if no row follows. A page of long rows ends early, at
   * the size limit of a batch.
   */
  async page(
    tableId: string,
    access: Access,
    filter: DataFilter,
    { sort, after, limit }: RowPage,
  ): Promise<{ rows: DataRow[]; next: RowPosition | null }> {
    const table = await getDataTable(this.#db, tableId, access);
    const order = orderOf(sort, table.columns);
    const where = conditionOf(filter, table.columns);
    const rows = await this.#connections.use(table.projectId, () => readRows(this.#db, table, where, { order, after, limit }));
    const last = rows.at(-1);
    return { rows: rows.map((row) => toRow(table, row)), next: last?.more ? { key: last.key, id: last.id } : null };
  }

  /** Inserts all rows or none. `write`: as for a step. */
  async insert(
    tableId: string,
    access: Access,
    rows: readonly JsonObject[],
    write?: RepeatedWrite<DataRow[]>,
  ): Promise<DataRow[]> {
    return this.#write({ tableId, access, ...(write && { write }) }, async (tx, table) => {
      const stored = rows.map((row, index) => toStored(table, row, `/data/${index}`));
      return this.#insert(tx, table, stored);
    });
  }

  /** Changes the given columns of the next rows that match the filter. */
  async updateBatch({ after = 0, ...step }: RowStep & DataChange): Promise<RowBatch> {
    return this.#write(step, async (tx, table) => toBatch(table, await updateRows(tx, table, step, after)));
  }

  /** As `updateBatch`, or inserts a row if no row matches the filter. */
  async upsertBatch({ after = 0, ...step }: RowStep & DataChange): Promise<RowBatch> {
    return this.#write(step, async (tx, table) => {
      const updated = await updateRows(tx, table, step, after);
      if (updated.length > 0 || after > 0) return toBatch(table, updated);
      const rows = await this.#insert(tx, table, [toStored(table, step.values, '/data')]);
      return { rows, inserted: true, next: null };
    });
  }

  /** Deletes the next rows that match the filter. */
  async deleteBatch({ filter, after = 0, ...step }: RowStep): Promise<RowBatch> {
    return this.#write(step, async (tx, table) => toBatch(table, await deleteRows(tx, table, filter, after)));
  }

  /** The next rows that an update or upsert would change. Writes nothing. */
  async previewBatch({
    tableId,
    access,
    filter,
    values,
    upsert,
    after = 0,
  }: Omit<RowStep, 'write'> & DataChange & { upsert: boolean }): Promise<PreviewBatch> {
    const table = await getDataTable(this.#db, tableId, access);
    const stored = toStored(table, values, '/data');
    const updatedAt = new Date();
    const changed = (row: StoredRow) => ({ ...row, data: { ...row.data, ...stored }, updatedAt });
    const rows = await this.#connections.use(table.projectId, () =>
      readBatch(this.#db, table, { filter, values: stored }, after),
    );
    if (rows.length > 0 || after > 0 || !upsert) {
      const changes = rows.map((row) => ({ before: toRow(table, row), after: toRow(table, changed(row)) }));
      return { changes, next: nextOf(rows) };
    }
    const { id, ...inserted } = toRow(table, { id: 0, data: stored, createdAt: updatedAt, updatedAt });
    return { changes: [{ after: { id: null, ...inserted } }], next: null };
  }

  async #insert(tx: Kysely<Tables>, table: DataTable, rows: readonly StoredRow['data'][]): Promise<DataRow[]> {
    assertAtMost(table.rowCount + rows.length, this.#limits.rows, 'rows in a data table', '/data');
    return insertRows(tx, table, rows);
  }

  async #write<T extends DataRow[] | RowBatch>(
    { tableId, access, write }: { tableId: string; access: Access; write?: RepeatedWrite<T> },
    work: (tx: Kysely<Tables>, table: DataTable) => Promise<T>,
  ): Promise<T> {
    const readable = await getDataTable(this.#db, tableId, access);
    const change = async (tx: Kysely<Tables>) => {
      const locked = await tx
        .selectFrom('data_tables')
        .select('bytes')
        .where('id', '=', tableId)
        .forUpdate()
        .executeTakeFirst();
      if (!locked) throw new NotFoundError(`data table ${tableId} does not exist`);
      const table = await getDataTable(tx, tableId, access);
      const result = await work(tx, table);
      await this.#assertBytes(tx, table);
      noteForAudit({ objectName: table.name, projectId: table.projectId, details: countOf(result) });
      return result;
    };
    return this.#connections.use(readable.projectId, () =>
      write ? writeOnce(this.#db, write, change) : inTransaction(this.#db, change),
    );
  }

  /** Only growth is refused, so that a project over a lowered quota can delete. */
  async #assertBytes(tx: Kysely<Tables>, { id, projectId, bytes: before }: DataTable): Promise<void> {
    const { rows } = await sql<{ all: number; table_bytes: number }>`
      SELECT sum(bytes)::float8 AS all, (sum(bytes) FILTER (WHERE id = ${id}))::float8 AS table_bytes
      FROM data_tables WHERE project_id = ${projectId}`.execute(tx);
    const { all, table_bytes: current } = rows[0] ?? { all: 0, table_bytes: 0 };
    if (current > before && all > this.#limits.bytes) throw new DataTableQuotaError(this.#limits.bytes);
  }
}

function toBatch(table: DataTable, changed: BatchRow[]): RowBatch {
  return { rows: changed.map((row) => toRow(table, row)), inserted: false, next: nextOf(changed) };
}

function nextOf(rows: readonly BatchRow[]): number | null {
  const last = rows.at(-1);
  return last?.more ? last.id : null;
}

/** For the audit log, whose line is written with the first batch. */
function countOf(result: DataRow[] | RowBatch): JsonObject {
  if (Array.isArray(result)) return { count: result.length };
  return { [result.next === null ? 'count' : 'countAtLeast']: result.rows.length };
}
