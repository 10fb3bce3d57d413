import { createDataTableBody, dataTableView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toDataTableView } from './data-table-view.ts';

export const createDataTable = defineRoute({
  method: 'post',
  path: '/data-tables',
  scope: 'workflow:create',
  action: 'dataTable.create',
  summary: 'Create a data table with a name that is unique in its project',
  body: createDataTableBody,
  responses: { 201: dataTableView },
  docs: { errors: ['NOT_FOUND', 'CONFLICT'] },
  async handle({ body, caller, services }) {
    return { status: 201, body: toDataTableView(await services.dataTables.create(body, caller)) };
  },
});
