import { listAudit } from './list-audit.ts';

export const auditRoutes = [listAudit];
