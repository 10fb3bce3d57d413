import { createWorkflowBody, etagHeader, workflowView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { etagOf } from '../http/etag.ts';
import { toWorkflowView } from './workflow-view.ts';

export const createWorkflow = defineRoute({
  method: 'post',
  path: '/workflows',
  scope: 'workflow:create',
  action: 'workflow.create',
  summary: 'Create a workflow; it is inactive',
  body: createWorkflowBody,
  responses: { 201: workflowView },
  docs: { responseHeaders: { ETag: etagHeader }, errors: ['NOT_FOUND'] },
  async handle({ body, caller, services }) {
    const workflow = await services.workflows.create(body, caller);
    const warnings = await services.workflows.warningsOf(workflow.graph);
    return { status: 201, body: toWorkflowView(workflow, { warnings }), headers: { ETag: etagOf(workflow.updatedAtUs) } };
  },
});
