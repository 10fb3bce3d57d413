import { auditPage, listAuditQuery } from '@sluice/contract';
import { defineRoute } from '../http/route/define-route.ts';

const listAudit = defineRoute({
  method: 'get',
  path: '/audit',
  scope: 'every scope',
  operationId: 'listAudit',
  summary: 'List who did what, newest first; for owners and admins',
  query: listAuditQuery,
  responses: { 200: auditPage },
  reply: async ({ query, caller, services }) => services.audit.list(query, caller),
});

export const auditRoutes = [listAudit];
