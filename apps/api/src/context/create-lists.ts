import type { Config } from '@sluice/config';
import {
  createDatabase,
  currentSnapshot,
  type Database,
  ExecutionListRepository,
  ExecutionStatisticsRepository,
  ReplicaReader,
  WorkflowRepository,
} from '@sluice/db';
import type { Logger } from '@sluice/logger';
import type { ListReader, Lists } from '../paging/lists.ts';

/** Lists, and the function that closes them. */
export function createLists({ database: { readUrl, readLagMs, poolSize } }: Config, primary: Database, logger: Logger) {
  const applicationName = 'sluice-api-lists';
  const replica = readUrl === null ? null : createDatabase({ url: readUrl, poolSize, allowStandby: true, applicationName });
  const readerOf = (db: Database): ListReader => ({
    executions: new ExecutionListRepository(db.kysely),
    statistics: new ExecutionStatisticsRepository(db.kysely),
    workflows: new WorkflowRepository(db.kysely),
    snapshot: () => currentSnapshot(db),
  });
  const lists: Lists = new ReplicaReader({ primary, replica, maxLagMs: readLagMs, readerOf, logger });
  const close = async () => {
    lists.close();
    await replica?.close();
  };
  return { lists, close };
}
