import { attentionList } from '@sluice/contract';
import { defineRoute, defineRoutes } from '../http/route/define-route.ts';

export const attentionRoutes = defineRoutes({
  listAttention: defineRoute({
    method: 'get',
    path: '/attention',
    scope: 'none',
    summary: 'List what needs attention: failing triggers, expiring credentials and keys, full queues and quotas',
    responses: { 200: attentionList },
    reply: async ({ caller, services }) => ({ data: await services.attention.list(caller) }),
  }),
});
