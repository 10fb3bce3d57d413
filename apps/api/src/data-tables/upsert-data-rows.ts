import { changeDataRowsBody, upsertedDataRows } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const upsertDataRows = defineRoute({
  method: 'post',
  path: '/data-tables/:id/rows/upsert',
  scope: 'workflow:update',
  action: 'dataTable.upsertRows',
  summary: 'Change all rows that match the filter, or insert one if there is none',
  operationId: 'upsertDataTableRows',
  body: changeDataRowsBody,
  responses: { 200: upsertedDataRows },
  docs: { errors: ['CONFLICT', 'STORAGE_QUOTA_EXCEEDED'] },
  async handle({ params, body, caller, services, signal }) {
    return { status: 200, body: await services.dataRows.upsert(params.id, body, caller, signal) };
  },
});
