import { triggerList } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toRegistrationView } from './registration-view.ts';
import { toTriggerView } from './trigger-view.ts';

export const listWorkflowTriggers = defineRoute({
  method: 'get',
  path: '/workflows/:id/triggers',
  scope: 'workflow:read',
  summary: 'List the triggers and registrations of a workflow, with due times and errors; `data` is empty while it is inactive',
  responses: { 200: triggerList },
  async handle({ params, caller, services }) {
    const { triggers, registrations } = await services.workflows.listTriggers(params.id, caller);
    const body = {
      data: triggers.map((trigger) => toTriggerView(trigger, services.workflows.publicUrl)),
      registrations: registrations.map(toRegistrationView),
    };
    return { status: 200, body };
  },
});
