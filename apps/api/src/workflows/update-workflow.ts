import { etagHeader, ifMatchHeader, updateWorkflowBody, type WorkflowWarning, workflowView } from '@sluice/contract';
import type { Workflow } from '@sluice/db';
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
    const warnings = [...activeVersionWarnings(workflow), ...(await services.workflows.warningsOf(workflow.graph))];
    return { status: 200, body: toWorkflowView(workflow, { warnings }), headers: { ETag: etagOf(workflow.updatedAtUs) } };
  },
});

/** The active version runs until another one is activated. */
function activeVersionWarnings({ active, activeVersionId, versionId }: Workflow): WorkflowWarning[] {
  if (!active || activeVersionId === versionId) return [];
  const message = 'saved as a new version; the active version is unchanged: activate the workflow to run the new one';
  return [{ code: 'ACTIVE_VERSION_UNCHANGED', message, path: 'activeVersionId' }];
}
