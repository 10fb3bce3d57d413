import { dataTableView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toDataTableView } from './data-table-view.ts';

export const getDataTable = defineRoute({
  method: 'get',
  path: '/data-tables/:id',
  scope: 'workflow:read',
  summary: 'Read a data table and its columns',
  responses: { 200: dataTableView },
  async handle({ params, caller, services }) {
    return { status: 200, body: toDataTableView(await services.dataTables.get(params.id, caller)) };
  },
});
