import type { Config } from '@sluice/config';
import { AuditLog, type Database, insertAuditEntries } from '@sluice/db';
import type { Logger } from '@sluice/logger';
import { AccessSignals, AccessWatch } from '../auth/access-changes.ts';
import { Authenticator } from '../auth/authenticator.ts';
import { KeyUsage } from '../auth/key-usage.ts';
import { RefusalLog } from '../http/logs/refusal-log.ts';
import type { Messaging } from './create-messaging.ts';
import type { Repositories } from './create-repositories.ts';

interface AccessParts extends Pick<Messaging, 'accessChannel' | 'onAccessChange' | 'feed'> {
  db: Database;
  repositories: Pick<Repositories, 'apiKeys' | 'accessChanges'>;
  logger: Logger;
}

/** Rights of users and keys, cached until a change in any process; and the audit log. */
export function createAccess({ license }: Config, parts: AccessParts) {
  const { db, repositories, logger, accessChannel, onAccessChange, feed } = parts;
  const { apiKeys, accessChanges } = repositories;
  const audit = new AuditLog({ insert: (entries) => insertAuditEntries(db.kysely, entries), logger });
  const refusals = new RefusalLog((entry) => audit.record(entry));
  const watch = new AccessWatch({ accessChanges, logger });
  const usage = new KeyUsage({ apiKeys, logger });
  const authenticator = new Authenticator({ apiKeys, watch, license });
  const forget = (userIds: readonly string[]) => {
    authenticator.forget(userIds);
    feed.accessChanged(userIds);
  };
  watch.start(forget);
  onAccessChange(forget);
  const close = async () => {
    watch.close();
    refusals.flush();
    await Promise.all([usage.flush(), audit.flush()]);
  };
  const accessSignals = new AccessSignals({ forget, channel: accessChannel, logger });
  return { authenticator, usage, audit, refusals, accessSignals, close };
}
