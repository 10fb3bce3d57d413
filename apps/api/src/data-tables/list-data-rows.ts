import { dataRowPage, listDataRowsQuery } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const listDataRows = defineRoute({
  method: 'get',
  path: '/data-tables/:id/rows',
  scope: 'workflow:read',
  summary: 'List rows, by id or by a column',
  operationId: 'listDataTableRows',
  query: listDataRowsQuery,
  responses: { 200: dataRowPage },
  async handle({ params, query, caller, services }) {
    return { status: 200, body: await services.dataRows.list(params.id, query, caller) };
  },
});
