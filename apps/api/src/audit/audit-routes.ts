import { auditPage, listAuditQuery } from '@sluice/contract';
import { defineRoute, defineRoutes } from '../http/route/define-route.ts';

export const auditRoutes = defineRoutes({
  listAudit: defineRoute({
    method: 'get',
    path: '/audit',
    scope: 'every scope',
    summary: 'List who did what, newest first; for owners and admins',
    query: listAuditQuery,
    responses: { 200: auditPage },
    reply: async ({ query, caller, services }) => services.audit.list(query, caller),
  }),
});
