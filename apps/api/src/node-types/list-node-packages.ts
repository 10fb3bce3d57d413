import { nodePackageList } from '@sluice/contract';
import { ForbiddenError } from '@sluice/domain';
import { isInstanceAdmin } from '../auth/caller.ts';
import { defineRoute } from '../http/define-route.ts';
import { toNodePackageViews } from './node-package-views.ts';

export const listNodePackages = defineRoute({
  method: 'get',
  path: '/node-packages',
  scope: 'none',
  summary: 'List the node packages found at startup, with the reasons of rejections; for owners and admins',
  responses: { 200: nodePackageList },
  async handle({ caller, services }) {
    if (!isInstanceAdmin(caller.role)) throw new ForbiddenError('this requires the role owner or admin');
    return { status: 200, body: { data: toNodePackageViews(services.nodePackages) } };
  },
});
