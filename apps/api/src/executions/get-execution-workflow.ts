import { executedWorkflow } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const getExecutionWorkflow = defineRoute({
  method: 'get',
  path: '/executions/:id/workflow',
  scope: 'workflow:read',
  summary: 'Read the graph that an execution runs, even if it was sent with the request and never saved',
  responses: { 200: executedWorkflow },
  async handle({ params, caller, services }) {
    const { name, nodes, connections, settings = {} } = await services.executions.getGraph(params.id, caller);
    return { status: 200, body: { name, nodes, connections, settings } };
  },
});
