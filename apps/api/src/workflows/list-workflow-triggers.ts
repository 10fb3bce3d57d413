import { triggerList } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toTriggerView } from './trigger-view.ts';

export const listWorkflowTriggers = defineRoute({
  method: 'get',
  path: '/workflows/:id/triggers',
  summary: 'What starts executions of a workflow, when next, and what went wrong; empty while it is inactive',
  replies: { 200: triggerList },
  async handle({ params, caller, services }) {
    const triggers = await services.workflows.listTriggers(params.id, caller);
    return { status: 200, body: { data: triggers.map(toTriggerView) } };
  },
});
