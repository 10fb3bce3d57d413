import { AppError, ConflictError, type DataColumn, ForbiddenError, NotFoundError, shownId } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import type { Access } from '../access.ts';
import { microsecondsOf } from '../newest-first.ts';
import type { Tables } from '../tables/tables.ts';

/** A table of a project, with the columns that users defined, in the order of their creation. */
export interface DataTable {
  id: string;
  projectId: string;
  name: string;
  columns: DataColumn[];
  rowCount: number;
  /** Size of its rows in bytes, which counts toward the quota. */
  bytes: number;
  createdAt: Date;
  updatedAt: Date;
  /** Microseconds since the epoch, for cursors: exact, unlike `createdAt`. */
  createdAtUs: string;
}

export const dataTableLimits = Object.freeze({
  tablesPerProject: 100,
  columns: 100,
  rows: 5_000_000,
  /** The sum over all tables of a project. */
  bytes: 2 ** 30,
});
export type DataTableLimits = { readonly [K in keyof typeof dataTableLimits]: number };

/**
 * Throws `ConflictError` if `count` exceeds `max`. `path`: the part of the request that would
 * exceed it.
 */
export function assertAtMost(count: number, max: number, what: string, path: string): void {
  if (count > max) throw conflict(`at most ${max} ${what} are allowed`, path);
}

/** An error for the part of the request at `path`. */
export function conflict(message: string, path: string): ConflictError {
  return new ConflictError(message, 'CONFLICT', [{ path, message }]);
}

/** The rows of a project's data tables exceed the size limit. */
export class DataTableQuotaError extends AppError {
  constructor(maxBytes: number) {
    super({
      code: 'STORAGE_QUOTA_EXCEEDED',
      message: `the data tables of the project store more than ${maxBytes} bytes; delete rows to free space`,
    });
  }
}

/** Throws `NotFoundError`, or `ForbiddenError` for a table outside `access`. */
export async function getDataTable(db: Kysely<Tables>, id: string, access: Access): Promise<DataTable> {
  const table = await selectDataTables(db).where('t.id', '=', id).executeTakeFirst();
  if (!table) throw new NotFoundError(`data table ${shownId(id)} does not exist`);
  if (!access.includes(table.projectId)) throw new ForbiddenError('you have no access to this data table');
  return table;
}

export function selectDataTables(db: Kysely<Tables>) {
  return db
    .selectFrom('data_tables as t')
    .select(['t.id', 't.project_id as projectId', 't.name', 't.created_at as createdAt', 't.updated_at as updatedAt'])
    .select(microsecondsOf('t.created_at').as('createdAtUs'))
    .select([sql<number>`t.row_count::float8`.as('rowCount'), sql<number>`t.bytes::float8`.as('bytes')])
    .select(
      sql<
        DataColumn[]
      >`(SELECT coalesce(json_agg(json_build_object('id', c.key::text, 'name', c.name, 'type', c.type) ORDER BY c.key), '[]')
        FROM data_table_columns c WHERE c.table_id = t.id)`.as('columns'),
    );
}
