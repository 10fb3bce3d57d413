import { executionView, updateExecutionBody } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const updateExecution = defineRoute({
  method: 'patch',
  path: '/executions/:id',
  summary: 'Annotate an execution with tags and a vote',
  body: updateExecutionBody,
  replies: { 200: executionView },
  async handle({ params, body, caller, services }) {
    return { status: 200, body: await services.executions.annotate(params.id, body, caller) };
  },
});
