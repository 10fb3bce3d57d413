import {
  addDataColumnBody,
  changeDataRowsBody,
  changedDataRows,
  createDataTableBody,
  type DataTableView,
  dataColumnView,
  dataRowPage,
  dataTablePage,
  dataTableView,
  deleteDataRowsQuery,
  deletedDataRows,
  insertDataRowsBody,
  insertedDataRows,
  listDataRowsQuery,
  listDataTablesQuery,
  renameDataColumnBody,
  renameDataTableBody,
  upsertedDataRows,
} from '@sluice/contract';
import type { DataTable } from '@sluice/db';
import { defineRoute, defineRoutes } from '../http/route/define-route.ts';
import { mapPage } from '../paging/page.ts';

export const dataTableRoutes = defineRoutes({
  listDataTables: defineRoute({
    method: 'get',
    path: '/data-tables',
    scope: 'workflow:list',
    summary: 'List data tables, newest first',
    query: listDataTablesQuery,
    responses: { 200: dataTablePage },
    reply: async ({ query, caller, services }) => mapPage(await services.dataTables.list(query, caller), toDataTableView),
  }),

  createDataTable: defineRoute({
    method: 'post',
    path: '/data-tables',
    scope: 'workflow:create',
    action: 'dataTable.create',
    summary: 'Create a data table with a name that is unique in its project',
    body: createDataTableBody,
    responses: { 201: dataTableView },
    docs: { errors: ['NOT_FOUND', 'CONFLICT'] },
    reply: async ({ body, caller, services }) => toDataTableView(await services.dataTables.create(body, caller)),
  }),

  getDataTable: defineRoute({
    method: 'get',
    path: '/data-tables/:id',
    scope: 'workflow:read',
    summary: 'Read a data table and its columns',
    responses: { 200: dataTableView },
    reply: async ({ params, caller, services }) => toDataTableView(await services.dataTables.get(params.id, caller)),
  }),

  updateDataTable: defineRoute({
    method: 'patch',
    path: '/data-tables/:id',
    scope: 'workflow:update',
    action: 'dataTable.update',
    summary: 'Rename a data table',
    body: renameDataTableBody,
    responses: { 200: dataTableView },
    docs: { errors: ['CONFLICT'] },
    reply: async ({ params, body, caller, services }) =>
      toDataTableView(await services.dataTables.rename(params.id, body.name, caller)),
  }),

  deleteDataTable: defineRoute({
    method: 'delete',
    path: '/data-tables/:id',
    scope: 'workflow:delete',
    action: 'dataTable.delete',
    summary: 'Delete a data table and its rows',
    responses: { 200: dataTableView },
    reply: async ({ params, caller, services }) => toDataTableView(await services.dataTables.delete(params.id, caller)),
  }),

  addDataTableColumn: defineRoute({
    method: 'post',
    path: '/data-tables/:id/columns',
    scope: 'workflow:update',
    action: 'dataTable.addColumn',
    summary: 'Add a column, which is empty in all rows',
    body: addDataColumnBody,
    responses: { 201: dataColumnView },
    docs: { errors: ['CONFLICT'] },
    reply: async ({ params, body, caller, services }) => services.dataTables.addColumn(params.id, body, caller),
  }),

  renameDataTableColumn: defineRoute({
    method: 'patch',
    path: '/data-tables/:id/columns/:columnId',
    scope: 'workflow:update',
    action: 'dataTable.renameColumn',
    summary: 'Rename a column; rows keep their values',
    body: renameDataColumnBody,
    responses: { 200: dataColumnView },
    docs: { errors: ['CONFLICT'] },
    reply: async ({ params: { id, columnId }, body, caller, services }) =>
      services.dataTables.renameColumn(id, columnId, body.name, caller),
  }),

  deleteDataTableColumn: defineRoute({
    method: 'delete',
    path: '/data-tables/:id/columns/:columnId',
    scope: 'workflow:update',
    action: 'dataTable.deleteColumn',
    summary: 'Delete a column and its values',
    responses: { 200: dataColumnView },
    reply: async ({ params: { id, columnId }, caller, services }) => services.dataTables.deleteColumn(id, columnId, caller),
  }),

  listDataTableRows: defineRoute({
    method: 'get',
    path: '/data-tables/:id/rows',
    scope: 'workflow:read',
    summary: 'List rows, by id or by a column',
    query: listDataRowsQuery,
    responses: { 200: dataRowPage },
    reply: async ({ params, query, caller, services }) => services.dataRows.list(params.id, query, caller),
  }),

  insertDataTableRows: defineRoute({
    method: 'post',
    path: '/data-tables/:id/rows',
    scope: 'workflow:update',
    action: 'dataTable.insertRows',
    summary: 'Insert rows: all or none',
    body: insertDataRowsBody,
    responses: { 201: insertedDataRows },
    docs: { errors: ['CONFLICT', 'STORAGE_QUOTA_EXCEEDED'] },
    reply: async ({ params, body, caller, services }) => ({
      data: await services.dataRows.insert(params.id, body.data, caller),
    }),
  }),

  updateDataTableRows: defineRoute({
    method: 'patch',
    path: '/data-tables/:id/rows',
    scope: 'workflow:update',
    action: 'dataTable.updateRows',
    summary: 'Change the given columns of all rows that match the filter, in batches of 1,000',
    body: changeDataRowsBody,
    responses: { 200: changedDataRows },
    docs: { errors: ['STORAGE_QUOTA_EXCEEDED'] },
    async reply({ params, body, caller, services, signal }) {
      const { count, data } = await services.dataRows.update(params.id, body, caller, signal);
      return { count, data };
    },
  }),

  deleteDataTableRows: defineRoute({
    method: 'delete',
    path: '/data-tables/:id/rows',
    scope: 'workflow:update',
    action: 'dataTable.deleteRows',
    summary: 'Delete all rows that match the filter, in batches of 1,000',
    query: deleteDataRowsQuery,
    responses: { 200: deletedDataRows },
    reply: async ({ params, query, caller, services, signal }) => ({
      count: await services.dataRows.delete(params.id, query.filter, caller, signal),
    }),
  }),

  upsertDataTableRows: defineRoute({
    method: 'post',
    path: '/data-tables/:id/rows/upsert',
    scope: 'workflow:update',
    action: 'dataTable.upsertRows',
    summary: 'Change all rows that match the filter, or insert one if there is none',
    body: changeDataRowsBody,
    responses: { 200: upsertedDataRows },
    docs: { errors: ['CONFLICT', 'STORAGE_QUOTA_EXCEEDED'] },
    reply: async ({ params, body, caller, services, signal }) => services.dataRows.upsert(params.id, body, caller, signal),
  }),
});

function toDataTableView({ createdAtUs: _, createdAt, updatedAt, ...rest }: DataTable): DataTableView {
  return { ...rest, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
