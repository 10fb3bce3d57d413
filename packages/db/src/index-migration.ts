import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { constantSql } from './statements/compiled.ts';
import type { Tables } from './tables/tables.ts';

/**
 * A migration that only creates indexes, which may take minutes on a large table. They are built
 * before its turn and outside of a transaction, so that writes continue; in a new database, they
 * are created with everything else.
 */
export interface IndexMigration {
  /** Index name → the rest of `CREATE INDEX`: `{ tags_by_name: 'ON tags (name)' }`. */
  indexes: Readonly<Record<string, string>>;
}

export type AnyMigration = Migration | IndexMigration;

/** Milliseconds between two checks of what another process does. */
const pauseMs = 500;

/** For Kysely: creates the indexes that do not exist yet. */
export function asMigration(migration: AnyMigration): Migration {
  if (!('indexes' in migration)) return migration;
  const entries = Object.entries(migration.indexes);
  return {
    async up(db) {
      for (const [name, definition] of entries) {
        // `IF NOT EXISTS` would lock the table first.
        if ((await stateOf(db, name)) === 'missing') await constantSql(`CREATE INDEX ${name} ${definition}`).execute(db);
      }
    },
    async down(db) {
      for (const [name] of entries) await constantSql(`DROP INDEX IF EXISTS ${name}`).execute(db);
    },
  };
}

/**
 * Builds indexes outside of a transaction, and rebuilds those that an interrupted process left
 * incomplete. If that process is gone but Postgres is still building its index, waits for the
 * result.
 */
export async function buildIndexes(db: Kysely<Tables>, { indexes }: IndexMigration): Promise<void> {
  for (const [name, definition] of Object.entries(indexes)) {
    let state = await stateOf(db, name);
    for (; state === 'building'; state = await stateOf(db, name)) await delay(pauseMs);
    if (state === 'valid') continue;
    if (state === 'incomplete') await constantSql(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`).execute(db);
    await constantSql(`CREATE INDEX CONCURRENTLY ${name} ${definition}`).execute(db);
  }
}

type IndexState = 'missing' | 'building' | 'incomplete' | 'valid';

async function stateOf(db: Kysely<Tables>, name: string): Promise<IndexState> {
  const { rows } = await sql<{ state: IndexState }>`
    SELECT CASE WHEN i.indisvalid THEN 'valid' WHEN p.pid IS NOT NULL THEN 'building' ELSE 'incomplete' END AS state
    FROM pg_index i LEFT JOIN pg_stat_progress_create_index p ON p.index_relid = i.indexrelid
    WHERE i.indexrelid = to_regclass(${name})`.execute(db);
  return rows[0]?.state ?? 'missing';
}

/** Advisory lock number of the single process that builds indexes. */
const lock = '3853314791062309108';

/**
 * Runs `work` when no other process does so. It holds the lock in an idle transaction, and polls
 * for it: a statement that waits for a lock has a snapshot, and Postgres completes no index before
 * that snapshot is released.
 */
export async function whileAlone<T>(db: Kysely<Tables>, work: () => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await sql`SELECT set_config('idle_in_transaction_session_timeout', '0', true)`.execute(tx);
    const isFree = async () => {
      const { rows } = await sql<{ free: boolean }>`
        SELECT pg_try_advisory_xact_lock(${constantSql(lock)}) AS free`.execute(tx);
      return rows[0]?.free;
    };
    while (!(await isFree())) await delay(pauseMs);
    return work();
  });
}
