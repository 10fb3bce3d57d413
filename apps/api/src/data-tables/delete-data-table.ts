import { dataTableView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toDataTableView } from './data-table-view.ts';

export const deleteDataTable = defineRoute({
  method: 'delete',
  path: '/data-tables/:id',
  scope: 'workflow:delete',
  action: 'dataTable.delete',
  summary: 'Delete a data table and its rows',
  responses: { 200: dataTableView },
  async handle({ params, caller, services }) {
    return { status: 200, body: toDataTableView(await services.dataTables.delete(params.id, caller)) };
  },
});
