import { PostgresAdapter, PostgresDialect } from 'kysely';

/**
 * Postgres without Kysely's migration lock, which belongs to a session: behind a pooler, another
 * session may run the next statement. `migrateToLatest` locks its transaction instead.
 */
export class PooledDialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new PooledAdapter();
  }
}

class PooledAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}
