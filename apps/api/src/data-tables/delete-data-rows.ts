import { deleteDataRowsQuery, deletedDataRows } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const deleteDataRows = defineRoute({
  method: 'delete',
  path: '/data-tables/:id/rows',
  scope: 'workflow:update',
  action: 'dataTable.deleteRows',
  summary: 'Delete all rows that match the filter, in batches of 1,000',
  operationId: 'deleteDataTableRows',
  query: deleteDataRowsQuery,
  responses: { 200: deletedDataRows },
  async handle({ params, query, caller, services, signal }) {
    return { status: 200, body: { count: await services.dataRows.delete(params.id, query.filter, caller, signal) } };
  },
});
