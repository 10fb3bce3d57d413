import type { DataColumn, DataFilter, DataValue, JsonObject } from '@sluice/domain';

/** A data table of the workflow's project. */
export interface DataTableInfo {
  id: string;
  name: string;
  columns: readonly DataColumn[];
  /** Number of rows when it was read. */
  rowCount: number;
}

/** A row with `id`, `createdAt`, `updatedAt`, and the value of each column. */
export type DataTableRow = Record<string, DataValue>;

/**
 * The data tables of the workflow's project; no other project can be reached. Throws
 * `VALIDATION_ERROR`, `NOT_FOUND`, `CONFLICT`, and `STORAGE_QUOTA_EXCEEDED`. Operations that
 * resolve to the rows of a change throw `RESULT_TOO_LARGE` above `maxResultBytes`; the change
 * itself is then complete.
 */
export interface DataTableAccess {
  find(by: { id: string } | { name: string }, signal: AbortSignal): Promise<DataTableInfo>;
  create(name: string, columns: readonly Pick<DataColumn, 'name' | 'type'>[]): Promise<DataTableInfo>;
  rename(tableId: string, name: string): Promise<DataTableInfo>;
  delete(tableId: string): Promise<void>;
  /** At most the newest 250. */
  list(nameContains: string | undefined, signal: AbortSignal): Promise<readonly DataTableInfo[]>;
  /**
   * Rows with IDs greater than `after`, in ID order. A page of long rows ends early, at about 4 MB.
   * `next`: the ID after which the next page starts; null: no more rows.
   */
  rows(
    tableId: string,
    filter: DataFilter,
    page: { after?: number; limit: number },
    signal: AbortSignal,
  ): Promise<{ rows: readonly DataTableRow[]; next: number | null }>;
  /** Inserts all rows or none. */
  insert(tableId: string, rows: readonly JsonObject[], signal: AbortSignal): Promise<readonly DataTableRow[]>;
  update(tableId: string, filter: DataFilter, values: JsonObject, signal: AbortSignal): Promise<readonly DataTableRow[]>;
  /** Updates the rows that match the filter, or inserts a row. */
  upsert(tableId: string, filter: DataFilter, values: JsonObject, signal: AbortSignal): Promise<readonly DataTableRow[]>;
  /**
   * Returns the changes that `update` or `upsert` would make, or throws `RESULT_TOO_LARGE`.
   * `before` is absent if the row would be inserted.
   */
  preview(
    tableId: string,
    change: { filter: DataFilter; values: JsonObject; upsert: boolean },
    signal: AbortSignal,
  ): Promise<readonly { before?: DataTableRow; after: DataTableRow }[]>;
  /** Deletes all matching rows, regardless of their size. */
  clear(tableId: string, signal: AbortSignal): Promise<void>;
  /** Resolves to the deleted rows. */
  deleteRows(tableId: string, filter: DataFilter, signal: AbortSignal): Promise<readonly DataTableRow[]>;
}
