import { UnavailableError } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { constantSql } from './compiled.ts';
import type { Database } from './database.ts';
import { migrationState, NewerDatabaseError } from './migration-state.ts';
import { migrations } from './migrations/index.ts';
import type { Tables } from './tables/tables.ts';

/** The number of Kysely's own lock, which earlier versions take for their session. */
const lock = '3853314791062309107';

function migrator(db: Kysely<Tables>): Migrator {
  return new Migrator({ db, provider: { getMigrations: async () => migrations } });
}

/**
 * Brings the schema up to date, in one transaction. Safe to call from many processes at once: one
 * migrates, the others wait for it. Resolves to the names of the migrations that it ran. Throws
 * `NewerDatabaseError` if a newer release has migrated the database.
 */
export async function migrateToLatest(db: Database): Promise<string[]> {
  return db.kysely.transaction().execute(async (tx) => {
    await sql`SELECT set_config('statement_timeout', '0', true), pg_advisory_xact_lock(${constantSql(lock)})`.execute(tx);
    await refuseNewer(tx);
    const { error, results } = await migrator(tx).migrateToLatest();
    if (error !== undefined) throw error;
    const failed = results?.find((result) => result.status !== 'Success');
    if (failed) throw new Error(`migration ${failed.migrationName} did not run`);
    return results?.map((result) => result.migrationName) ?? [];
  });
}

async function refuseNewer(tx: Kysely<Tables>): Promise<void> {
  const { rows: tables } = await sql`SELECT 1 WHERE to_regclass('kysely_migration') IS NOT NULL`.execute(tx);
  if (tables.length === 0) return;
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(tx);
  const { unknownMigrations } = migrationState(rows.map(({ name }) => name));
  if (unknownMigrations.length > 0) throw new NewerDatabaseError(unknownMigrations);
}

/** Throws `UnavailableError` unless every migration this build knows has run. */
export async function assertMigrated(db: Database): Promise<void> {
  const known = await migrator(db.kysely).getMigrations();
  const pending = known.filter((migration) => migration.executedAt === undefined);
  if (pending.length > 0) throw new UnavailableError(`${pending.length} migrations have not run: sluice migrate`);
}
