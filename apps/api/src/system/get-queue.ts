import { queueView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const getQueue = defineRoute({
  method: 'get',
  path: '/queue',
  scope: 'execution:list',
  operationId: 'getQueue',
  summary: 'Read how many executions wait for a worker or for a limit',
  responses: { 200: queueView },
  async handle({ caller, services }) {
    return { status: 200, body: await services.system.getQueue(caller) };
  },
});
