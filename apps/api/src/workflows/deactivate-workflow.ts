import { etagHeader, workflowView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { etagOf } from '../http/etag.ts';
import { toWorkflowView } from './workflow-view.ts';

export const deactivateWorkflow = defineRoute({
  method: 'post',
  path: '/workflows/:id/deactivate',
  scope: 'workflow:deactivate',
  action: 'workflow.deactivate',
  summary: 'Deactivate a workflow',
  responses: { 200: workflowView },
  docs: { responseHeaders: { ETag: etagHeader } },
  async handle({ params, caller, services }) {
    const workflow = await services.workflows.deactivate(params.id, caller);
    return { status: 200, body: toWorkflowView(workflow), headers: { ETag: etagOf(workflow.updatedAtUs) } };
  },
});
