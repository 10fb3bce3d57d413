import { deletedWorkflow } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const deleteWorkflow = defineRoute({
  method: 'delete',
  path: '/workflows/:id',
  scope: 'workflow:delete',
  action: 'workflow.delete',
  summary: 'Delete a workflow with its whole history; running executions are stopped',
  responses: { 200: deletedWorkflow },
  async handle({ params, caller, services }) {
    return { status: 200, body: await services.workflows.delete(params.id, caller) };
  },
});
