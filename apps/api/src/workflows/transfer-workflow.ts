import { noContent, transferWorkflowBody } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const transferWorkflow = defineRoute({
  method: 'put',
  path: '/workflows/:id/transfer',
  scope: 'workflow:update',
  action: 'workflow.transfer',
  summary: 'Transfer a workflow, with its executions, to another project',
  body: transferWorkflowBody,
  responses: { 204: noContent },
  docs: { errors: ['LICENSE_REQUIRED'] },
  async handle({ params, body, caller, services }) {
    await services.transfers.transfer(params.id, body, caller);
    return { status: 204, body: null };
  },
});
