import { queueView, workerList } from '@sluice/contract';
import { assertInstanceAdmin } from '../auth/caller.ts';
import { defineRoute, defineRoutes } from '../http/route/define-route.ts';

export const systemRoutes = defineRoutes({
  listWorkers: defineRoute({
    method: 'get',
    path: '/workers',
    scope: 'none',
    summary: 'List the live workers, with their leases and loads; for owners and admins',
    responses: { 200: workerList },
    async reply({ caller, services }) {
      assertInstanceAdmin(caller);
      return { data: await services.system.listWorkers() };
    },
  }),

  getQueue: defineRoute({
    method: 'get',
    path: '/queue',
    scope: 'execution:list',
    summary: 'Read how many executions wait for a worker or for a limit',
    responses: { 200: queueView },
    reply: async ({ caller, services }) => services.system.getQueue(caller),
  }),
});
