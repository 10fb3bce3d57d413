import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { allPages, pageByPage } from '../../data/all-pages.ts';
import { api, byId, call, type Schemas } from '../../data/api.ts';
import { changing } from '../../data/query-client.ts';
import type { RowFilter } from './row-filter.ts';

export type DataTable = Schemas['DataTable'];
export type DataColumn = Schemas['DataTableColumn'];
export type CellValue = string | number | boolean | null;
export type Row = Readonly<Record<string, CellValue>>;

const pageSize = 100;

export const dataTables = queryOptions({
  queryKey: ['data-tables', 'all'],
  queryFn: () => allPages((query) => call(api.GET('/data-tables', { params: { query } }))),
});

export function useDataTable(id: string) {
  return useQuery({ queryKey: ['data-tables', id], queryFn: () => call(api.GET('/data-tables/{id}', byId(id))) });
}

/** The rows under a filter, page by page. */
export function useRows(id: string, { condition, sortBy }: { condition: RowFilter | undefined; sortBy: string | undefined }) {
  const query = {
    limit: pageSize,
    ...(condition && { filter: JSON.stringify({ type: 'and', filters: [condition] }) }),
    ...(sortBy && { sortBy }),
  };
  return useInfiniteQuery({
    queryKey: ['data-tables', id, 'rows', query],
    ...pageByPage((position) =>
      call(api.GET('/data-tables/{id}/rows', { params: { path: { id }, query: { ...query, ...position } } })),
    ),
    placeholderData: keepPreviousData,
  });
}

const changingTables = <T>(change: Promise<T>) => changing(change, 'data-tables');

export const createTable = (body: Schemas['CreateDataTableBody']) => changingTables(call(api.POST('/data-tables', { body })));
export const renameTable = (id: string, name: string) =>
  changingTables(call(api.PATCH('/data-tables/{id}', { ...byId(id), body: { name } })));
export const deleteTable = (id: string) => changingTables(call(api.DELETE('/data-tables/{id}', byId(id))));

export const addColumn = (id: string, body: Pick<DataColumn, 'name' | 'type'>) =>
  changingTables(call(api.POST('/data-tables/{id}/columns', { ...byId(id), body })));

const column = (id: string, columnId: string) => ({ params: { path: { id, columnId } } });
export const renameColumn = (id: string, columnId: string, name: string) =>
  changingTables(call(api.PATCH('/data-tables/{id}/columns/{columnId}', { ...column(id, columnId), body: { name } })));
export const deleteColumn = (id: string, columnId: string) =>
  changingTables(call(api.DELETE('/data-tables/{id}/columns/{columnId}', column(id, columnId))));

export const insertRow = (id: string, row: Row) =>
  changingTables(call(api.POST('/data-tables/{id}/rows', { ...byId(id), body: { data: [row] } })));

const only = (rowId: number) => ({
  type: 'and' as const,
  filters: [{ columnName: 'id', condition: 'eq' as const, value: rowId }],
});
export const updateRow = (id: string, rowId: number, data: Row) =>
  changingTables(call(api.PATCH('/data-tables/{id}/rows', { ...byId(id), body: { filter: only(rowId), data } })));
export const deleteRow = (id: string, rowId: number) => deleteRows(id, JSON.stringify(only(rowId)));

/** Deletes the rows that match a filter. Returns how many. */
export async function deleteRows(id: string, filter: string): Promise<number> {
  const { count } = await changingTables(
    call(api.DELETE('/data-tables/{id}/rows', { params: { path: { id }, query: { filter } } })),
  );
  return count;
}
