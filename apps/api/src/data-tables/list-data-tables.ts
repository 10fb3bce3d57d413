import { dataTablePage, listDataTablesQuery } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toDataTableView } from './data-table-view.ts';

export const listDataTables = defineRoute({
  method: 'get',
  path: '/data-tables',
  scope: 'workflow:list',
  summary: 'List data tables, newest first',
  query: listDataTablesQuery,
  responses: { 200: dataTablePage },
  async handle({ query, caller, services }) {
    const { entries, nextCursor } = await services.dataTables.list(query, caller);
    return { status: 200, body: { data: entries.map(toDataTableView), nextCursor } };
  },
});
