import { executionView, updateExecutionBody } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toExecutionView } from './execution-view.ts';

export const updateExecution = defineRoute({
  method: 'patch',
  path: '/executions/:id',
  scope: 'execution:read',
  action: 'execution.annotate',
  summary: 'Annotate an execution with tags and a vote',
  body: updateExecutionBody,
  responses: { 200: executionView },
  async handle({ params, body, caller, services }) {
    const execution = await services.executions.annotate(params.id, body, caller);
    return { status: 200, body: toExecutionView({ execution }) };
  },
});
