import { executionPage, listExecutionsQuery } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toExecutionPage } from './execution-view.ts';

export const listExecutions = defineRoute({
  method: 'get',
  path: '/executions',
  scope: 'execution:list',
  summary: 'List executions, newest first',
  query: listExecutionsQuery,
  responses: { 200: executionPage },
  async handle({ query, caller, services, signal }) {
    const body = toExecutionPage(await services.executions.list(query, caller, signal));
    // A page with data belongs to one request, and may be too large to be written at once.
    return { status: 200, body, shared: !query.includeData };
  },
});
