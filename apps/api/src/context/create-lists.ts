import type { Config } from '@sluice/config';
import {
  createDatabase,
  currentSnapshot,
  type Database,
  ExecutionListRepository,
  ListSource,
  WorkflowRepository,
} from '@sluice/db';
import type { Logger } from '@sluice/logger';

/** Repositories of lists, on the replica or on the primary. */
export interface ListReader {
  executions: Pick<ExecutionListRepository, 'read' | 'countRunning'>;
  workflows: Pick<WorkflowRepository, 'list'>;
  /** Differs whenever a read might see different data. */
  snapshot(): Promise<string>;
}

export type Lists = ListSource<ListReader>;

/** Lists, and what closes them. */
export function createLists({ database: { readUrl, readLagMs, poolSize } }: Config, primary: Database, logger: Logger) {
  const replica = readUrl === null ? null : createDatabase({ url: readUrl, poolSize, applicationName: 'sluice-api-lists' });
  const readerOf = (db: Database): ListReader => ({
    executions: new ExecutionListRepository(db.kysely),
    workflows: new WorkflowRepository(db.kysely),
    snapshot: () => currentSnapshot(db),
  });
  const lists: Lists = new ListSource({ primary, replica, maxLagMs: readLagMs, readerOf, logger });
  const close = async () => {
    lists.close();
    await replica?.close();
  };
  return { lists, close };
}
