import { stoppedExecution } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const stopExecution = defineRoute({
  method: 'post',
  path: '/executions/:id/stop',
  scope: 'execution:stop',
  action: 'execution.stop',
  summary: 'Stop an execution that has not ended',
  responses: { 200: stoppedExecution },
  async handle({ params, caller, services }) {
    const { id, stoppedAt } = await services.executions.stop(params.id, caller);
    return { status: 200, body: { id, status: 'canceled' as const, stoppedAt: stoppedAt.toISOString() } };
  },
});
