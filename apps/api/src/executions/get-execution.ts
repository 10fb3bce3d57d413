import { executionView, getExecutionQuery } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toExecutionView } from './execution-view.ts';

export const getExecution = defineRoute({
  method: 'get',
  path: '/executions/:id',
  scope: 'execution:read',
  summary: 'Read an execution; includeData=true includes the data of every node',
  query: getExecutionQuery,
  responses: { 200: executionView },
  async handle({ params, query, caller, services, signal }) {
    const execution = await services.executions.get(params.id, caller, query.includeData ? signal : undefined);
    return { status: 200, body: toExecutionView(execution) };
  },
});
