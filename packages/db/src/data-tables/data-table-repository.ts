import {
  type DataColumn,
  type DataColumnType,
  NotFoundError,
  randomId,
  systemDataColumns,
  ValidationError,
  type WorkflowId,
} from '@sluice/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type Access, isAccessible } from '../access.ts';
import { isUniqueViolation } from '../connection/sql-errors.ts';
import { type NewestFirst, newestFirst } from '../newest-first.ts';
import { inTransaction } from '../statements/in-transaction.ts';
import { touched } from '../statements/touched.ts';
import type { Tables } from '../tables/tables.ts';
import {
  assertAtMost,
  conflict,
  type DataTable,
  type DataTableLimits,
  dataTableLimits,
  getDataTable,
  selectDataTables,
} from './data-table.ts';
import { DataTableConnections } from './data-table-connections.ts';

export interface DataTableFilter {
  projectId?: string | undefined;
  /** Part of the name, in any case. */
  name?: string | undefined;
}

type NewColumn = Pick<DataColumn, 'name' | 'type'>;

/** Tables that users define, and their columns. Every call takes the caller's `Access`. */
export class DataTableRepository {
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

  async list(access: Access, { projectId, name }: DataTableFilter, page: NewestFirst): Promise<DataTable[]> {
    let query = newestFirst(selectDataTables(this.#db), 't', page).where(isAccessible(access, 't.project_id'));
    if (projectId !== undefined) query = query.where('t.project_id', '=', projectId);
    if (name !== undefined) query = query.where(sql<boolean>`strpos(lower(t.name), lower(${name})) > 0`);
    return query.execute();
  }

  /** Throws `NotFoundError`, or `ForbiddenError` for a table outside `access`. */
  async get(id: string, access: Access): Promise<DataTable> {
    return getDataTable(this.#db, id, access);
  }

  /** The project whose tables a workflow may use now. Throws `NotFoundError`. */
  async projectOf(workflowId: WorkflowId): Promise<string> {
    const query = this.#db.selectFrom('workflows').select('project_id').where('id', '=', workflowId);
    const workflow = await query.executeTakeFirst();
    if (!workflow) throw new NotFoundError(`workflow ${workflowId} does not exist`);
    return workflow.project_id;
  }

  /** Throws `NotFoundError` unless the project has a table with this name. */
  async getByName(projectId: string, name: string): Promise<DataTable> {
    const query = selectDataTables(this.#db).where('t.project_id', '=', projectId).where('t.name', '=', name);
    const table = await query.executeTakeFirst();
    if (!table) throw new NotFoundError(`data table ${JSON.stringify(name)} does not exist in the project`);
    return table;
  }

  /**
   * The caller has checked the access to the project. Throws `ValidationError`, and `ConflictError`
   * if the name is taken or a limit is reached.
   */
  async create(projectId: string, name: string, columns: readonly NewColumn[]): Promise<DataTable> {
    for (const [index, column] of columns.entries()) assertColumnName(column.name, `/columns/${index}/name`);
    assertAtMost(columns.length, this.#limits.columns, 'columns', '/columns');
    const id = randomId();
    return inTransaction(this.#db, async (tx) => {
      await tx.selectFrom('projects').select('id').where('id', '=', projectId).forUpdate().execute();
      const count = sql<{ count: number }>`SELECT count(*)::int AS count FROM data_tables WHERE project_id = ${projectId}`;
      const existing = (await count.execute(tx)).rows[0]?.count ?? 0;
      assertAtMost(existing + 1, this.#limits.tablesPerProject, 'data tables in a project', '/projectId');
      await refuseTaken(name, tx.insertInto('data_tables').values({ id, project_id: projectId, name }).execute());
      for (const [index, column] of columns.entries()) await insertColumn(tx, id, column, `/columns/${index}/name`);
      return selectDataTables(tx).where('t.id', '=', id).executeTakeFirstOrThrow();
    });
  }

  /** Throws `NotFoundError`, `ForbiddenError`, and `ConflictError` if the name is taken. */
  async rename(id: string, access: Access, name: string): Promise<DataTable> {
    return this.#change(id, access, async (tx) => {
      const renamed = tx.updateTable('data_tables').set({ name, updated_at: touched }).where('id', '=', id);
      await refuseTaken(name, renamed.execute());
    });
  }

  /**
   * Deletes a table; its rows are deleted later, in batches. Throws `NotFoundError` and
   * `ForbiddenError`.
   */
  async delete(id: string, access: Access): Promise<DataTable> {
    return this.#withLock(id, access, async (tx) => {
      const table = await getDataTable(tx, id, access);
      await tx.deleteFrom('data_tables').where('id', '=', id).execute();
      return table;
    });
  }

  /** Rows have null in the new column. Throws as `create`. */
  async addColumn(id: string, access: Access, column: { name: string; type: DataColumnType }): Promise<DataTable> {
    assertColumnName(column.name, '/name');
    return this.#change(id, access, async (tx, table) => {
      assertAtMost(table.columns.length + 1, this.#limits.columns, 'columns', '/name');
      await insertColumn(tx, id, column, '/name');
    });
  }

  /** Throws as `create`. */
  async renameColumn(id: string, access: Access, columnId: string, name: string): Promise<DataTable> {
    assertColumnName(name, '/name');
    return this.#change(id, access, async (tx, table) => {
      const { id: key } = columnOf(table, columnId);
      const renamed = tx.updateTable('data_table_columns').set({ name }).where('key', '=', key);
      await refuseTaken(name, renamed.execute());
    });
  }

  /** The values remain stored until their rows change, and are never shown again. */
  async deleteColumn(id: string, access: Access, columnId: string): Promise<DataTable> {
    return this.#change(id, access, async (tx, table) => {
      await tx.deleteFrom('data_table_columns').where('key', '=', columnOf(table, columnId).id).execute();
    });
  }

  /** Under the lock that writes of rows also take. */
  async #change(
    id: string,
    access: Access,
    change: (tx: Kysely<Tables>, table: DataTable) => Promise<void>,
  ): Promise<DataTable> {
    return this.#withLock(id, access, async (tx) => {
      await tx.selectFrom('data_tables').select('id').where('id', '=', id).forUpdate().execute();
      await change(tx, await getDataTable(tx, id, access));
      await tx.updateTable('data_tables').set({ updated_at: touched }).where('id', '=', id).execute();
      return getDataTable(tx, id, access);
    });
  }

  /** `work` waits for the table lock. Callers without access are rejected first. */
  async #withLock(id: string, access: Access, work: (tx: Transaction<Tables>) => Promise<DataTable>): Promise<DataTable> {
    const { projectId } = await this.get(id, access);
    return this.#connections.use(projectId, () => inTransaction(this.#db, work));
  }
}

function columnOf(table: DataTable, columnId: string): DataColumn {
  const column = table.columns.find(({ id }) => id === columnId);
  if (!column) throw new NotFoundError(`data table ${table.id} has no such column`);
  return column;
}

const columnName = /^[A-Za-z][A-Za-z0-9_]{0,62}$/;

function assertColumnName(name: string, path: string): void {
  if (!columnName.test(name))
    throw new ValidationError('a column name starts with a letter and has 1 to 63 letters, digits and "_"', path);
  if (systemDataColumns.some((column) => column.name === name))
    throw new ValidationError(`every data table already has the column "${name}"`, path);
}

async function insertColumn(tx: Kysely<Tables>, tableId: string, { name, type }: NewColumn, path: string): Promise<void> {
  await refuseTaken(name, tx.insertInto('data_table_columns').values({ table_id: tableId, name, type }).execute(), path);
}

async function refuseTaken(name: string, writing: Promise<unknown>, path = '/name'): Promise<void> {
  try {
    await writing;
  } catch (error) {
    if (isUniqueViolation(error, 'data_tables_name_key'))
      throw conflict(`the project already has a data table ${JSON.stringify(name)}`, path);
    if (isUniqueViolation(error, 'data_table_columns_name_key'))
      throw conflict(`the data table already has a column ${JSON.stringify(name)}`, path);
    throw error;
  }
}
