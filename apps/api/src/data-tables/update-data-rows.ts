import { changeDataRowsBody, changedDataRows } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const updateDataRows = defineRoute({
  method: 'patch',
  path: '/data-tables/:id/rows',
  scope: 'workflow:update',
  action: 'dataTable.updateRows',
  summary: 'Change the given columns of all rows that match the filter, in batches of 1,000',
  operationId: 'updateDataTableRows',
  body: changeDataRowsBody,
  responses: { 200: changedDataRows },
  docs: { errors: ['STORAGE_QUOTA_EXCEEDED'] },
  async handle({ params, body, caller, services, signal }) {
    const { count, data } = await services.dataRows.update(params.id, body, caller, signal);
    return { status: 200, body: { count, data } };
  },
});
