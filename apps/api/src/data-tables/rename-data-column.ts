import { dataColumnView, renameDataColumnBody } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const renameDataColumn = defineRoute({
  method: 'patch',
  path: '/data-tables/:id/columns/:columnId',
  scope: 'workflow:update',
  action: 'dataTable.renameColumn',
  summary: 'Rename a column; rows keep their values',
  operationId: 'renameDataTableColumn',
  body: renameDataColumnBody,
  responses: { 200: dataColumnView },
  docs: { errors: ['CONFLICT'] },
  async handle({ params: { id, columnId }, body, caller, services }) {
    return { status: 200, body: await services.dataTables.renameColumn(id, columnId, body.name, caller) };
  },
});
