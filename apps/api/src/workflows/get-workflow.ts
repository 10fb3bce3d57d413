import { etagHeader, getWorkflowQuery, workflowView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { etagOf } from '../http/etag.ts';
import { toWorkflowView } from './workflow-view.ts';

export const getWorkflow = defineRoute({
  method: 'get',
  path: '/workflows/:id',
  scope: 'workflow:read',
  summary: 'Read a workflow',
  query: getWorkflowQuery,
  responses: { 200: workflowView },
  docs: { responseHeaders: { ETag: etagHeader } },
  async handle({ params, query, caller, services }) {
    const workflow = await services.workflows.get(params.id, caller);
    return { status: 200, body: toWorkflowView(workflow, query), headers: { ETag: etagOf(workflow.updatedAtUs) } };
  },
});
