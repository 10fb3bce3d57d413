import { insertDataRowsBody, insertedDataRows } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const insertDataRows = defineRoute({
  method: 'post',
  path: '/data-tables/:id/rows',
  scope: 'workflow:update',
  action: 'dataTable.insertRows',
  summary: 'Insert rows: all or none',
  operationId: 'insertDataTableRows',
  body: insertDataRowsBody,
  responses: { 201: insertedDataRows },
  docs: { errors: ['CONFLICT', 'STORAGE_QUOTA_EXCEEDED'] },
  async handle({ params, body, caller, services }) {
    return { status: 201, body: { data: await services.dataRows.insert(params.id, body.data, caller) } };
  },
});
