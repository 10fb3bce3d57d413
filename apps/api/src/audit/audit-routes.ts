import { auditPage, listAuditQuery } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

const listAudit = defineRoute({
  method: 'get',
  path: '/audit',
  scope: 'every scope',
  operationId: 'listAudit',
  summary: 'List who did what, newest first; for owners and admins',
  query: listAuditQuery,
  responses: { 200: auditPage },
  async handle({ query, caller, services }) {
    const { entries, nextCursor } = await services.audit.list(query, caller);
    return { status: 200, body: { data: entries, nextCursor } };
  },
});

export const auditRoutes = [listAudit];
