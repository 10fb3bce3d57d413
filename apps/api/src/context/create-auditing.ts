import { AuditLog, type Database, insertAuditEntries } from '@sluice/db';
import type { Logger } from '@sluice/logger';
import { RefusalLog } from '../http/logs/refusal-log.ts';

export function createAuditing(db: Database, logger: Logger) {
  const audit = new AuditLog({ insert: (entries) => insertAuditEntries(db.kysely, entries), logger });
  const refusals = new RefusalLog((entry) => audit.record(entry));
  const close = async () => {
    refusals.flush();
    await audit.flush();
  };
  return { audit, refusals, close };
}
