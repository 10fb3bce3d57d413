import { attentionList } from '@sluice/contract';
import { defineRoute } from '../http/route/define-route.ts';

const listAttention = defineRoute({
  method: 'get',
  path: '/attention',
  scope: 'none',
  operationId: 'listAttention',
  summary: 'List what needs attention: failing triggers, expiring credentials and keys, full queues and quotas',
  responses: { 200: attentionList },
  reply: async ({ caller, services }) => ({ data: await services.attention.list(caller) }),
});

export const attentionRoutes = [listAttention];
