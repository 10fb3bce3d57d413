import { queueView, workerList } from '@sluice/contract';
import { ForbiddenError } from '@sluice/domain';
import { isInstanceAdmin } from '../auth/caller.ts';
import { defineRoute } from '../http/route/define-route.ts';

const listWorkers = defineRoute({
  method: 'get',
  path: '/workers',
  scope: 'none',
  summary: 'List the live workers, with their leases and loads; for owners and admins',
  responses: { 200: workerList },
  async reply({ caller, services }) {
    if (!isInstanceAdmin(caller.role)) throw new ForbiddenError('this requires the role owner or admin');
    return { data: await services.system.listWorkers() };
  },
});

const getQueue = defineRoute({
  method: 'get',
  path: '/queue',
  scope: 'execution:list',
  operationId: 'getQueue',
  summary: 'Read how many executions wait for a worker or for a limit',
  responses: { 200: queueView },
  reply: async ({ caller, services }) => services.system.getQueue(caller),
});

export const systemRoutes = [listWorkers, getQueue];
