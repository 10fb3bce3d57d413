import { addDataColumnBody, dataColumnView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const addDataColumn = defineRoute({
  method: 'post',
  path: '/data-tables/:id/columns',
  scope: 'workflow:update',
  action: 'dataTable.addColumn',
  summary: 'Add a column, which is empty in all rows',
  operationId: 'addDataTableColumn',
  body: addDataColumnBody,
  responses: { 201: dataColumnView },
  docs: { errors: ['CONFLICT'] },
  async handle({ params, body, caller, services }) {
    return { status: 201, body: await services.dataTables.addColumn(params.id, body, caller) };
  },
});
