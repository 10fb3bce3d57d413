import { activateWorkflowBody, etagHeader, workflowView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { etagOf } from '../http/etag.ts';
import { toTriggerUrls } from './trigger-urls.ts';
import { toWorkflowView } from './workflow-view.ts';

export const activateWorkflow = defineRoute({
  method: 'post',
  path: '/workflows/:id/activate',
  scope: 'workflow:activate',
  action: 'workflow.activate',
  summary: 'Activate a version of a workflow, by default the newest; name and description label it',
  body: activateWorkflowBody,
  bodyOptional: true,
  responses: { 200: workflowView },
  docs: { responseHeaders: { ETag: etagHeader }, errors: ['CONFLICT', 'WEBHOOK_PATH_TAKEN', 'REGISTRATION_FAILED'] },
  async handle({ params, body, caller, services }) {
    const { workflow, triggers, warnings } = await services.workflows.activate(params.id, body, caller);
    const urls = triggers.flatMap((trigger) => toTriggerUrls(trigger, services.workflows.publicUrl));
    return { status: 200, body: toWorkflowView(workflow, { warnings, urls }), headers: { ETag: etagOf(workflow.updatedAtUs) } };
  },
});
