import { dataTableView, renameDataTableBody } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toDataTableView } from './data-table-view.ts';

export const renameDataTable = defineRoute({
  method: 'patch',
  path: '/data-tables/:id',
  scope: 'workflow:update',
  action: 'dataTable.update',
  summary: 'Rename a data table',
  body: renameDataTableBody,
  responses: { 200: dataTableView },
  docs: { errors: ['CONFLICT'] },
  async handle({ params, body, caller, services }) {
    return { status: 200, body: toDataTableView(await services.dataTables.rename(params.id, body.name, caller)) };
  },
});
