import { dataColumnView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const deleteDataColumn = defineRoute({
  method: 'delete',
  path: '/data-tables/:id/columns/:columnId',
  scope: 'workflow:update',
  action: 'dataTable.deleteColumn',
  summary: 'Delete a column and its values',
  operationId: 'deleteDataTableColumn',
  responses: { 200: dataColumnView },
  async handle({ params: { id, columnId }, caller, services }) {
    return { status: 200, body: await services.dataTables.deleteColumn(id, columnId, caller) };
  },
});
