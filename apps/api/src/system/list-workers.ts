import { workerList } from '@sluice/contract';
import { ForbiddenError } from '@sluice/domain';
import { isInstanceAdmin } from '../auth/caller.ts';
import { defineRoute } from '../http/define-route.ts';

export const listWorkers = defineRoute({
  method: 'get',
  path: '/workers',
  scope: 'none',
  summary: 'List the live workers, with their leases and loads; for owners and admins',
  responses: { 200: workerList },
  async handle({ caller, services }) {
    if (!isInstanceAdmin(caller.role)) throw new ForbiddenError('this requires the role owner or admin');
    return { status: 200, body: { data: await services.system.listWorkers() } };
  },
});
