import {
  type ChangeDataRowsBody,
  compileValidator,
  dataTableFilter,
  type ListDataRowsQuery,
  maxShownRows,
  Type,
} from '@sluice/contract';
import {
  type DataRow,
  type DataTableRowRepository,
  type RowBatch,
  type RowPosition,
  type RowSort,
  rowBatches,
} from '@sluice/db';
import type { DataFilter, JsonObject } from '@sluice/domain';
import type { Caller } from '../auth/caller.ts';
import { readJsonParameter } from '../http/request/query.ts';
import type { Page } from '../paging/page.ts';
import { decodeCursor, encodeCursor } from '../paging/page-cursors.ts';

const everyRow: DataFilter = { type: 'and', filters: [] };

interface ChangedRows {
  count: number;
  inserted: boolean;
  /** The first changed rows: those of the first batch, which is limited in bytes. */
  data: DataRow[];
}

/**
 * Rows of data tables. A change of many rows runs in batches, between which other requests can
 * write; it ends early if the client disconnects.
 */
export class DataRowService {
  readonly #rows: DataTableRowRepository;

  constructor({ dataTableRows }: { dataTableRows: DataTableRowRepository }) {
    this.#rows = dataTableRows;
  }

  async list(tableId: string, { filter, sortBy, cursor, limit }: ListDataRowsQuery, caller: Caller): Promise<Page<DataRow>> {
    const where = filter === undefined ? everyRow : toDataFilter(filter);
    const after = cursor === undefined ? undefined : toPosition(cursor);
    const page = { sort: sortBy === undefined ? undefined : toSort(sortBy), after, limit };
    const { rows, next } = await this.#rows.page(tableId, caller.access['project:viewer'], where, page);
    return { data: rows, nextCursor: next && toCursor(next) };
  }

  async insert(tableId: string, rows: readonly JsonObject[], caller: Caller): Promise<DataRow[]> {
    return this.#rows.insert(tableId, caller.access['project:editor'], rows);
  }

  async update(tableId: string, body: ChangeDataRowsBody, caller: Caller, signal: AbortSignal): Promise<ChangedRows> {
    const change = { tableId, access: caller.access['project:editor'], filter: body.filter, values: body.data };
    return changed((after) => this.#rows.updateBatch({ ...change, after }), signal);
  }

  async upsert(tableId: string, body: ChangeDataRowsBody, caller: Caller, signal: AbortSignal): Promise<ChangedRows> {
    const change = { tableId, access: caller.access['project:editor'], filter: body.filter, values: body.data };
    return changed((after) => this.#rows.upsertBatch({ ...change, after }), signal);
  }

  async delete(tableId: string, filter: string, caller: Caller, signal: AbortSignal): Promise<number> {
    const deletion = { tableId, access: caller.access['project:editor'], filter: toDataFilter(filter) };
    return (await changed((after) => this.#rows.deleteBatch({ ...deletion, after }), signal)).count;
  }
}

async function changed(step: (after: number) => Promise<RowBatch>, signal: AbortSignal): Promise<ChangedRows> {
  const all: ChangedRows = { count: 0, inserted: false, data: [] };
  for await (const { rows, inserted } of rowBatches(step)) {
    if (all.count === 0) all.data = rows.slice(0, maxShownRows);
    all.count += rows.length;
    all.inserted ||= inserted;
    signal.throwIfAborted();
  }
  return all;
}

function toSort(sortBy: string): RowSort {
  const [columnName = '', direction] = sortBy.split(':');
  return { columnName, direction: direction === 'desc' ? 'desc' : 'asc' };
}

function toCursor({ key, id }: RowPosition): string {
  return encodeCursor('dataRows', { id: String(id), key: key === null ? '' : `=${key}` });
}

function toPosition(cursor: string): RowPosition {
  const { id, key } = decodeCursor('dataRows', cursor);
  return { id: Number(id), key: key === '' ? null : key.slice(1) };
}

/** Wrapped in the parameter name, so that error paths start with it. */
const validFilter = compileValidator(Type.Object({ filter: dataTableFilter }));

/** The filter in a query parameter, as JSON. Throws `ValidationError`. */
function toDataFilter(text: string): DataFilter {
  return validFilter({ filter: readJsonParameter('filter', text) }).filter;
}
