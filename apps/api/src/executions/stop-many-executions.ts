import { stopManyBody, stopManyView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const stopManyExecutions = defineRoute({
  method: 'post',
  path: '/executions/stopMany',
  scope: 'execution:stop',
  action: 'execution.stopMany',
  operationId: 'stopManyExecutions',
  summary: 'Stop all executions that match a filter',
  body: stopManyBody,
  responses: { 200: stopManyView },
  docs: { errors: ['NOT_FOUND'] },
  async handle({ body, caller, services }) {
    return { status: 200, body: { stopped: await services.executions.stopMany(body, caller) } };
  },
});
