import { etagHeader, ifMatchHeader, updateWorkflowBody, workflowView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { etagOf } from '../http/etag.ts';
import { toWorkflowView } from './workflow-view.ts';

export const updateWorkflow = defineRoute({
  method: 'patch',
  path: '/workflows/:id',
  scope: 'workflow:update',
  action: 'workflow.update',
  summary: 'Replace the given parts of a workflow; If-Match guards against lost updates',
  body: updateWorkflowBody,
  responses: { 200: workflowView },
  docs: { headers: { 'If-Match': ifMatchHeader }, responseHeaders: { ETag: etagHeader }, errors: ['VERSION_CONFLICT'] },
  async handle({ params, body, header, caller, services }) {
    const workflow = await services.workflows.update(params.id, body, caller, header('if-match'));
    const warnings = await services.workflows.warningsOf(workflow.graph);
    return { status: 200, body: toWorkflowView(workflow, { warnings }), headers: { ETag: etagOf(workflow.updatedAtUs) } };
  },
});
